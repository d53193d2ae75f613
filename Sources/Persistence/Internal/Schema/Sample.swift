/// An instance of a class, made to learn which wrapper has which number, and where it lies.
///
/// Each wrapper is numbered when it is initialized and keeps its number in a word of its own, which is read from the
/// instance's memory at the offset of the property. An offset found in one instance holds for all, because Swift lays
/// out a class once.
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

  /// The wrappers, in the order of the properties, those of superclasses first.
  func wrappers(_ fields: inout StoredFields) -> [Wrapper] {
    let base = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    return fields.all(of: type(of: object)).compactMap { field in
      // `_title` holds the wrapper of `title`.
      guard field.name.first == "_", let type = field.type as? any NumberedWrapper.Type else { return nil }
      // The word lies within the wrapper, and the wrapper within the instance, which `object` keeps.
      let number = base.load(fromByteOffset: field.offset + type.numberOffset, as: UInt32.self)
      return Wrapper(
        property: String(field.name.dropFirst()), offset: field.offset, number: number, valueType: type.valueType)
    }
  }

  struct Wrapper {
    let property: String
    /// In bytes, from the beginning of the instance.
    let offset: Int
    /// A slot, or the number of a to-many from `Probe.relationBase` on.
    let number: UInt32
    /// As the property's key path has it.
    let valueType: any Any.Type
  }

  /// From here on, reading an attribute of the sample is reported.
  static func watch(_ object: ManagedObject) { object._state = ObjectState.making | ObjectState.watched }
}

/// A property wrapper that keeps a number.
protocol NumberedWrapper {
  /// Where, in bytes from the wrapper's beginning.
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
  static var valueType: any Any.Type { Related<Target>.self }
  static var numberOffset: Int { MemoryLayout<Self>.offset(of: \.relation) ?? 0 }
}
