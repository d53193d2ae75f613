/// An instance of a class, made to learn where its attributes lie.
///
/// Swift has no public way to ask for the offset of a class's stored property. So each wrapper keeps a word whose
/// value is known (a magic number plus the attribute's number), and the instance's memory is searched for these
/// words. Of a word that is found more than once all places but one say so by chance, which does not follow the magic
/// number: then those places count on which two samples with different magic numbers agree. Nor may a number come
/// twice: gaps between properties keep what was in the memory before, an earlier sample perhaps, so each has a magic
/// number of its own. An offset found in one instance holds for all, because Swift lays out a class once.
struct Sample {
  let object: ManagedObject
  let probe: Probe
  /// Byte offsets at which the words may lie, by number.
  let places: [UInt32: Set<Int>]
  let isSound: Bool

  /// Whether each word has one place at most.
  var isUnambiguous: Bool { places.values.allSatisfy { $0.count == 1 } }

  private static let samples = Lock(UInt32(0))

  /// Its upper half comes again after 65 535 samples, and is never 0, which memory is full of.
  private static func nextMagic() -> UInt32 {
    samples.withLock { count in
      count = count % 0xFFFF + 1
      return (count &* 0x9E37) << 16
    }
  }

  init(of type: ManagedObject.Type) {
    let magic = Sample.nextMagic()
    let probe = Probe(magic: magic)
    var cursor = RowCursor(.probe, probe: probe)
    cursor.id = -1
    object = cursor.whileCurrent { _ in type.init() }
    self.probe = probe
    isSound = probe.made.map { $0 == type } ?? false && object._id == -1
    places = Sample.search(object, for: magic, attributes: probe.columns.count, relations: probe.relationships.count)
  }

  private static func search(
    _ object: ManagedObject, for magic: UInt32, attributes: Int, relations: Int
  ) -> [UInt32: Set<Int>] {
    // Within the block that the allocator gave the object, which it fills up to alignment.
    let base = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    let size = AllocatedBlock.size(of: base)
    var found: [UInt32: Set<Int>] = [:]
    for offset in stride(from: 16, to: size - 3, by: 4) {
      let number = base.load(fromByteOffset: offset, as: UInt32.self) &- magic
      let isAttribute = number < UInt32(attributes)
      let isRelation = number >= Probe.relationOffset && number < Probe.relationOffset + UInt32(relations)
      if isAttribute || isRelation { found[number, default: []].insert(offset) }
    }
    return found
  }

  /// The wrappers, with the names of their properties, of the class and its superclasses.
  var children: [(String, Any)] {
    var result: [(String, Any)] = []
    var mirror: Mirror? = Mirror(reflecting: object)
    while let level = mirror {
      for child in level.children {
        // `_title` holds the wrapper of `title`.
        if let label = child.label { result.append((String(label.dropFirst()), child.value)) }
      }
      mirror = level.superclassMirror
    }
    return result
  }

  /// From here on, reading an attribute of the sample is reported.
  static func watch(_ object: ManagedObject) { object._state = ObjectState.making | ObjectState.watched }
}

/// Wrappers that keep a slot.
protocol SlotHolder {
  var slotWord: UInt32 { get }
  static var wordOffset: Int { get }
}

extension Attribute: SlotHolder {
  var slotWord: UInt32 { slot }
  static var wordOffset: Int { MemoryLayout<Self>.offset(of: \.slot) ?? 0 }
}

extension ToOne: SlotHolder {
  var slotWord: UInt32 { slot }
  static var wordOffset: Int { MemoryLayout<Self>.offset(of: \.slot) ?? 0 }
}

/// Wrappers that keep the number of a to-many.
protocol RelationHolder {
  var relationWord: UInt32 { get }
  static var wordOffset: Int { get }
}

extension ToMany: RelationHolder {
  var relationWord: UInt32 { relation }
  static var wordOffset: Int { MemoryLayout<Self>.offset(of: \.relation) ?? 0 }
}
