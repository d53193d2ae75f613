internal import Foundation

/// An attribute or to-one relationship of a class.
struct Column: Sendable {
  /// The property's name.
  var property = ""
  /// The column's name in the store.
  var name = ""
  /// The offset of the value in an object, in bytes.
  var offset = 0
  let storageClass: StorageClass
  let layout: ColumnLayout
  let isOptional: Bool
  private(set) var isUnique = false
  private(set) var isUniqueFolded = false
  let isIndexed: Bool
  /// Whether the full-text index of the class contains the column.
  private(set) var isSearchable = false
  /// Whether the store has a second column for the folded text.
  var isFolded = false
  /// Whether the store has a second column for the value: one holds a readable form, the other the key for comparing
  /// and sorting.
  private(set) var hasSortKey = false
  /// The fields of the value's JSON that have columns of their own, for indexes.
  var fields: [(path: FieldPath, storage: StorageClass)] = []
  /// What is wrong with the names of a ``QueryableValue``.
  private(set) var jsonNameProblems: [String] = []
  /// The initial value of the attribute, taken from the sample.
  let defaultValue: StoredValue
  /// The value that the attribute has if the stored one cannot be read. Nil if the store's configuration decides.
  var unreadable: StoredValue?
  /// The type of the property, as its key path reports it.
  let valueType: any Any.Type
  /// Converts the value in memory to its stored form. The pointer must point to a value of `valueType`.
  let load: @Sendable (UnsafeRawPointer) -> StoredValue
  /// Writes a stored form to the value in memory. Returns false if it is not of the column's type.
  let assign: @Sendable (UnsafeMutableRawPointer, StoredValue) -> Bool
  /// Whether a stored form is of the column's type.
  let isReadable: @Sendable (StoredValue) -> Bool
  /// Returns the stored form of a value whose type is known only at run time, or nil if it is not of this column's
  /// type.
  let encode: @Sendable (Any) -> StoredValue?

  init<Value: AttributeValue>(_ first: Value, options: [AttributeOption], unreadable: Value?) {
    storageClass = Value.storageClass
    layout = ColumnLayout(Value.self)
    defaultValue = first.stored
    isOptional = Value._isOptional
    isUniqueFolded = options.contains(.uniqueFolded)
    // Texts that differ when they are folded differ.
    isUnique = options.contains(.unique) && !isUniqueFolded
    isIndexed = options.contains(.indexed) || options.contains(.unique)
    isSearchable = options.contains(.searchable)
    isFolded = options.contains(.folded) || isUniqueFolded
    hasSortKey = Value._isSortKeyed
    jsonNameProblems = Value._jsonNameProblems
    valueType = Value.self
    for case .column(let custom) in options.map(\.kind) { name = custom }
    self.unreadable = unreadable?.roundedForStorage.stored
    load = { $0.assumingMemoryBound(to: Value.self).pointee.stored }
    assign = { pointer, stored in
      guard let value = Value(stored: stored) else { return false }
      pointer.assumingMemoryBound(to: Value.self).pointee = value
      return true
    }
    isReadable = { Value(stored: $0) != nil }
    encode = { ($0 as? Value)?.stored }
  }

  /// A foreign key. In memory it is an `Int64`, with 0 for nil.
  init<Target: ManagedObject>(referenceTo target: Target.Type) {
    storageClass = .integer
    layout = .reference
    isOptional = true
    isIndexed = true
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
    isReadable = { if case .null = $0 { true } else if case .integer = $0 { true } else { false } }
    encode = { value in
      guard let object = value as? ManagedObject else { return nil }
      return .integer(object._id)
    }
  }

  /// The name of the column that is read, compared and sorted by.
  var keyName: String { hasSortKey ? SQL.sortKey(of: name) : name }

  var quoted: String { SQL.name(keyName) }

  /// A stored value as changes report it: the digits of a decimal instead of its sort key.
  func readable(_ value: StoredValue) -> StoredValue { hasSortKey ? SortableDecimal.readable(value) : value }

  /// The quoted name of the column for the folded text.
  var foldedName: String? { isFolded ? SQL.name(SQL.folded(of: name)) : nil }

  /// The columns that are calculated from the value, and the SQL for what to write there: a decimal's readable form, a
  /// folded text, and fields of JSON.
  func derived(_ value: String) -> [(column: String, value: String)] {
    if hasSortKey { return [(SQL.name(name), "\(DecimalFunction.name)(\(value))")] }
    if let foldedName { return [(foldedName, "\(TextFunction.fold)(\(value))")] }
    return fields.map { (SQL.name(SQL.field($0.path, of: name)), $0.path.sql(of: value)) }
  }
}

extension Column {
  /// What is wrong with a stored value that is not of the attribute's type.
  func unreadableValue(_ stored: StoredValue, of entity: Entity, id: Int64) -> InvalidValue {
    InvalidValue(type: entity.name, attribute: property, id: id, reason: reason(against: stored))
  }

  private func reason(against stored: StoredValue) -> String {
    let type = (valueType as? any OptionalType.Type)?.wrapped ?? valueType
    if case .text(let json) = stored, let type = type as? any Decodable.Type {
      do {
        _ = try JSONDecoder().decode(type, from: Data(json.utf8))
      } catch DecodingError.keyNotFound(let key, let context) {
        return "its JSON has nothing at " + pointer(context.codingPath + [key])
      } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
        DecodingError.dataCorrupted(let context)
      {
        if !context.codingPath.isEmpty { return "its JSON cannot be decoded at " + pointer(context.codingPath) }
      } catch {
        // An error of the type's own may contain the value.
      }
    }
    return "the stored value does not have the attribute's type"
  }

  /// A JSON Pointer, with `*` for keys that may be data, such as those of a dictionary.
  private func pointer(_ path: [any CodingKey]) -> String {
    let names = path.map { key in
      if let index = key.intValue, key.stringValue == "Index \(index)" { return "\(index)" }
      return Mirror(reflecting: key).displayStyle == .enum ? key.stringValue : "*"
    }
    return "/" + FieldPath(names: names, form: 0).pointer
  }
}

/// The memory layouts that saving reads directly from an object. All other types are converted to their stored form
/// first.
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
