/// An instance of a class, created to learn the number and the offset of each property wrapper.
///
/// Each wrapper is numbered when it is initialized and stores its number in a word. The sample reads that word from the
/// instance's memory, at the offset of the property. An offset found in one instance holds for all instances because
/// Swift lays out a class once.
struct Sample {
  let object: ManagedObject
  let probe: Probe
  let isSound: Bool

  init(of type: ManagedObject.Type) {
    let probe = Probe()
    var cursor = RowCursor(.probe, probe: probe)
    cursor.id = -1
    object = cursor.whileCurrent { _ in type.init() }
    self.probe = probe
    isSound = probe.made.map { $0 == type } ?? false && object._id == -1
  }

  /// Returns the wrappers in the order of the properties, with those of superclasses first.
  func wrappers(_ fields: inout StoredFields) -> [Wrapper] {
    let base = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    return fields.all(of: type(of: object)).compactMap { field in
      // `_title` holds the wrapper of `title`.
      guard field.name.first == "_", let type = field.type as? any NumberedWrapper.Type else { return nil }
      // The word is inside the wrapper and the wrapper is inside the instance, which `object` keeps alive.
      let number = base.load(fromByteOffset: field.offset + type.numberOffset, as: UInt32.self)
      return Wrapper(
        property: String(field.name.dropFirst()), offset: field.offset, number: number, valueType: type.valueType)
    }
  }

  struct Wrapper {
    let property: String
    /// In bytes, from the start of the instance.
    let offset: Int
    /// A slot, or for a to-many its number plus `Probe.relationBase`.
    let number: UInt32
    /// The value type of the property's key path.
    let valueType: any Any.Type
  }

  /// Reports every read of an attribute of the sample from now on.
  static func watch(_ object: ManagedObject) { object._state = ObjectState.making | ObjectState.watched }
}

/// A property wrapper that stores its number.
protocol NumberedWrapper {
  /// The offset of the number from the start of the wrapper, in bytes.
  static var numberOffset: Int { get }
  /// The type of the property.
  static var valueType: any Any.Type { get }
}

extension Attribute: NumberedWrapper {
  static var valueType: any Any.Type { Value.self }
  static var numberOffset: Int { MemoryLayout<Self>.offset(of: \.slot) ?? 0 }
}

extension ToOne: NumberedWrapper {
  static var valueType: any Any.Type { Target?.self }
  static var numberOffset: Int { MemoryLayout<Self>.offset(of: \.slot) ?? 0 }
}

extension ToMany: NumberedWrapper {
  static var valueType: any Any.Type { RelatedObjects<Target>.self }
  static var numberOffset: Int { MemoryLayout<Self>.offset(of: \.relation) ?? 0 }
}
