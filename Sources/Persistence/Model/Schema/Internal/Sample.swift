internal import CLarderThreadSlot

/// An instance of a class, created to learn the number and the offset of each property wrapper.
///
/// Each wrapper is numbered when it is initialized and stores its number in a word. The sample reads that word from the
/// instance's memory, at the offset of the property. An offset found in one instance holds for all instances because
/// Swift lays out a class once.
struct Sample {
  let object: ManagedObject
  let probe: Probe
  let isSound: Bool

  init(of type: ManagedObject.Type, base: UInt32 = 0) {
    let probe = Probe(base: base)
    var cursor = RowCursor(.probe, probe: probe)
    cursor.id = -1
    object = cursor.whileCurrent { _ in type.init() }
    self.probe = probe
    isSound = probe.made.map { $0 == type } ?? false && object._id == -1
  }

  /// Returns the wrappers in the order of the properties, with those of superclasses first.
  func wrappers(_ fields: inout StoredFields) -> [Wrapper] {
    #if LARDER_MIRROR
    return mirroredWrappers()
    #else
    let base = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    return fields.all(of: type(of: object)).compactMap { field in
      // `_title` holds the wrapper of `title`.
      guard field.name.first == "_", let type = field.type as? any NumberedWrapper.Type else { return nil }
      // The word is inside the wrapper and the wrapper is inside the instance, which `object` keeps alive.
      let number = base.load(fromByteOffset: field.offset + type.numberOffset, as: UInt32.self)
      return Wrapper(
        property: String(field.name.dropFirst()), offset: field.offset, number: number, valueType: type.valueType)
    }
    #endif
  }

  /// Returns the same as ``wrappers(_:)``, without functions that no module declares.
  ///
  /// `Mirror` knows the names and the wrappers, but no offsets. Two more instances have wrappers with large numbers of
  /// their own. Where both have the wrapper's number in their memory, there is the wrapper. Those of a class with a
  /// custom mirror are not found, and its schema is rejected.
  func mirroredWrappers() -> [Wrapper] {
    let twins = [0x5a17_0000, 0x3e29_0000].map { Sample(of: type(of: object), base: $0) }
    let memory = twins.map { UnsafeRawPointer(Unmanaged.passUnretained($0.object).toOpaque()) }
    let words = stride(from: 0, to: (memory.map { larder_allocated_size($0) }.min() ?? 0) & ~3, by: 4)
    let mirrors = sequence(first: Mirror(reflecting: object)) { $0.superclassMirror }
      .prefix { $0.subjectType != ManagedObject.self }
    return withExtendedLifetime(twins) {
      mirrors.reversed().flatMap(\.children).compactMap { name, value in
        guard let name, name.first == "_", let wrapper = value as? any NumberedWrapper else { return nil }
        let found = words.first { offset in
          zip(memory, twins).allSatisfy {
            $0.load(fromByteOffset: offset, as: UInt32.self) == $1.probe.base &+ wrapper.number
          }
        }
        let wrapperType = type(of: wrapper)
        return found.map {
          Wrapper(
            property: String(name.dropFirst()), offset: $0 - wrapperType.numberOffset, number: wrapper.number,
            valueType: wrapperType.valueType)
        }
      }
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
  var number: UInt32 { get }
  /// The offset of the number from the start of the wrapper, in bytes.
  static var numberOffset: Int { get }
  /// The type of the property.
  static var valueType: any Any.Type { get }
}

extension Attribute: NumberedWrapper {
  var number: UInt32 { slot }
  static var valueType: any Any.Type { Value.self }
  static var numberOffset: Int { MemoryLayout<Self>.offset(of: \.slot) ?? 0 }
}

extension ToOne: NumberedWrapper {
  var number: UInt32 { slot }
  static var valueType: any Any.Type { Target?.self }
  static var numberOffset: Int { MemoryLayout<Self>.offset(of: \.slot) ?? 0 }
}

extension ToMany: NumberedWrapper {
  var number: UInt32 { relation }
  static var valueType: any Any.Type { RelatedObjects<Target>.self }
  static var numberOffset: Int { MemoryLayout<Self>.offset(of: \.relation) ?? 0 }
}
