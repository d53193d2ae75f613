/// Keyed containers kept between uses, one for each type of coding keys.
///
/// Making a `KeyedDecodingContainer` costs two lookups of generic metadata, one of a witness table and an allocation: a
/// fifth of the time of documents with many small objects. A container that nobody else holds is pointed at the next
/// object instead.
///
/// `KeyedDecodingContainer` holds one reference, to a box that its initializer makes. That is not documented, so a
/// container of another size is never kept. Whether anybody else holds the box is asked of the reference count.
final class ContainerCache {
  private struct Slot {
    var type: ObjectIdentifier?
    /// The container itself, as the one reference that it is.
    var box: AnyObject?
    var anchor: ContainerAnchor?
  }

  private static let count = 64
  private let slots: UnsafeMutablePointer<Slot>
  private var used: UInt64 = 0

  init() {
    slots = .allocate(capacity: Self.count)
    slots.initialize(repeating: Slot(), count: Self.count)
  }

  deinit {
    slots.deinitialize(count: Self.count)
    slots.deallocate()
  }

  @inline(__always)
  func container<Key: CodingKey>(
    _: Key.Type, _ state: DecodingState, _ value: UInt32, _ node: Int
  ) -> KeyedDecodingContainer<Key> {
    let id = ObjectIdentifier(Key.self)
    let bits = UInt(bitPattern: id)
    let index = Int((bits >> 4 ^ bits >> 10) & UInt(Self.count - 1))
    let slot = slots + index
    if slot.pointee.type == id, isKnownUniquelyReferenced(&slot.pointee.box) {
      let anchor = slot.pointee.anchor.unsafelyUnwrapped
      anchor.value = value
      anchor.node = UInt32(truncatingIfNeeded: node)
      used |= 1 << UInt64(index)
      return reinterpret(slot.pointee.box.unsafelyUnwrapped, as: KeyedDecodingContainer<Key>.self)
    }
    return makeContainer(Key.self, state, value, node, index)
  }

  @inline(never)
  private func makeContainer<Key: CodingKey>(
    _: Key.Type, _ state: DecodingState, _ value: UInt32, _ node: Int, _ index: Int
  ) -> KeyedDecodingContainer<Key> {
    let anchor = ContainerAnchor(state, value, UInt32(truncatingIfNeeded: node))
    let container = KeyedDecodingContainer(KeyedBytesContainer<Key>(anchor: anchor))
    guard MemoryLayout<KeyedDecodingContainer<Key>>.size == MemoryLayout<AnyObject>.size else {
      anchor.kept = state
      return container
    }
    slots[index].anchor?.kept = state  // whoever still holds the old one keeps the state from now on
    slots[index] = Slot(type: ObjectIdentifier(Key.self), box: object(of: container), anchor: anchor)
    used |= 1 << UInt64(index)
    return container
  }

  /// At the end of a decode: containers that outlive it get a strong reference to the state and leave the cache.
  func release(keeping state: DecodingState) {
    while used != 0 {
      let index = used.trailingZeroBitCount
      used &= used &- 1
      guard !isKnownUniquelyReferenced(&slots[index].box) else { continue }
      slots[index].anchor?.kept = state
      slots[index] = Slot()
    }
  }
}

/// What a keyed container points at.
///
/// The state is not retained while the container is in the state's cache (that would be a cycle), and is from the moment
/// on that it leaves it. In between, the state lives because a decode is running.
final class ContainerAnchor {
  unowned(unsafe) let state: DecodingState
  let scanner: JSONScanner
  var value: UInt32
  var node: UInt32
  var kept: DecodingState?

  init(_ state: DecodingState, _ value: UInt32, _ node: UInt32) {
    self.state = state
    scanner = state.scanner
    self.value = value
    self.node = node
  }
}
