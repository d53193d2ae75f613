/// One attribute, or to-one relationship, of a class.
struct Column: Sendable {
  /// The property's name, and the name in the store.
  var property = ""
  var name: String
  /// Where the value lies in an object, in bytes.
  var offset = 0
  let storageClass: StorageClass
  let layout: ColumnLayout
  let isOptional: Bool
  let isUnique: Bool
  let isIndexed: Bool
  /// Whether the store has it twice: in a form for people, and in one that it is compared and sorted by.
  let hasSortKey: Bool
  /// What the sample had in it: what an attribute is at first.
  let defaultValue: StoredValue
  /// The property's type, as key paths tell it.
  let valueType: any Any.Type
  /// How the stored form is read from, and written to, a value in memory. The pointer is to a value of `valueType`.
  let load: @Sendable (UnsafeRawPointer) -> StoredValue
  let assign: @Sendable (UnsafeMutableRawPointer, StoredValue) -> Bool
  /// The stored form of a value whose type is known only at run time; nil if it is not of this column's type.
  let encode: @Sendable (Any) -> StoredValue?

  init<Value: AttributeValue>(_ first: Value, options: [AttributeOption]) {
    name = ""
    storageClass = Value.storageClass
    layout = ColumnLayout(Value.self)
    defaultValue = first.stored
    isOptional = Value._isOptional
    isUnique = options.contains(.unique)
    isIndexed = options.contains(.indexed)
    hasSortKey = Value._isSortKeyed
    valueType = Value.self
    for case .column(let custom) in options.map(\.kind) { name = custom }
    load = { $0.assumingMemoryBound(to: Value.self).pointee.stored }
    assign = { pointer, stored in
      guard let value = Value(stored: stored) else { return false }
      pointer.assumingMemoryBound(to: Value.self).pointee = value
      return true
    }
    encode = { ($0 as? Value)?.stored }
  }

  /// A foreign key. In memory it is an `Int64`, and 0 where there is none.
  init<Target: ManagedObject>(referenceTo target: Target.Type) {
    name = ""
    storageClass = .integer
    layout = .reference
    isOptional = true
    isUnique = false
    isIndexed = true
    hasSortKey = false
    defaultValue = .null
    valueType = Target?.self
    load = { pointer in
      let id = pointer.load(as: Int64.self)
      return id == 0 ? .null : .integer(id)
    }
    assign = { pointer, stored in
      switch stored {
      case .null: pointer.storeBytes(of: 0, as: Int64.self)
      case .integer(let id): pointer.storeBytes(of: id, as: Int64.self)
      default: return false
      }
      return true
    }
    encode = { value in
      guard let object = value as? ManagedObject else { return nil }
      return .integer(object._id)
    }
  }

  var isReference: Bool { layout == .reference }

  /// The column that is read, compared and sorted by.
  var keyName: String { hasSortKey ? SQL.sortKey(of: name) : name }

  var quoted: String { SQL.name(keyName) }

  /// The column in a form for people, and what to write there.
  func readable(_ value: String) -> (column: String, value: String)? {
    hasSortKey ? (SQL.name(name), "\(DecimalFunction.name)(\(value))") : nil
  }
}

/// The types that saving reads straight from an object's memory. The others go by way of their stored form.
enum ColumnLayout: UInt8, Sendable {
  case int64, double, text, optionalInt64, optionalDouble, optionalText, reference, opaque

  init(_ type: any Any.Type) {
    let isWide = MemoryLayout<Int>.size == MemoryLayout<Int64>.size
    self =
      switch ObjectIdentifier(type) {
      case ObjectIdentifier(Int64.self): .int64
      case ObjectIdentifier(Int.self) where isWide: .int64
      case ObjectIdentifier(Double.self): .double
      case ObjectIdentifier(String.self): .text
      case ObjectIdentifier(Int64?.self): .optionalInt64
      case ObjectIdentifier(Int?.self) where isWide: .optionalInt64
      case ObjectIdentifier(Double?.self): .optionalDouble
      case ObjectIdentifier(String?.self): .optionalText
      default: .opaque
      }
  }
}
