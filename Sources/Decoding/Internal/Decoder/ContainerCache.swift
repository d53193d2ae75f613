/// Keyed containers kept between uses, one for each type of coding keys.
///
/// Making a keyed container costs two lookups of generic metadata, one of a witness table and an allocation: a fifth of
/// the time of documents with many small objects. A container without another reference is pointed at the next object
/// instead, by way of its anchor.
///
/// `KeyedDecodingContainer` and `KeyedEncodingContainer` hold one reference, to a box that their initializer makes.
/// That is not documented, so a container of another size is never kept. Whether anybody else holds the box is asked of
/// the reference count.
final class ContainerCache<Anchor: ContainerAnchor> {
  private struct Slot {
    var type: ObjectIdentifier?
    /// The container itself, as the one reference that it is.
    var box: AnyObject?
    var anchor: Anchor?
  }

  private let slots: UnsafeMutablePointer<Slot>
  private var used: UInt64 = 0

  init() {
    slots = .allocate(capacity: slotCount)
    slots.initialize(repeating: Slot(), count: slotCount)
  }

  deinit {
    slots.deinitialize(count: slotCount)
    slots.deallocate()
  }

  /// A container for a type of keys: a kept one, whose anchor `point` points at its place, or one that `make` makes.
  @inline(__always)
  func container<Key: CodingKey, Container>(
    _: Key.Type, point: (Anchor) -> Void, make: () -> (Container, Anchor)
  ) -> Container {
    let id = ObjectIdentifier(Key.self)
    let bits = UInt(bitPattern: id)
    let index = Int((bits >> 4 ^ bits >> 10) & UInt(slotCount - 1))
    let slot = slots + index
    if slot.pointee.type == id, isKnownUniquelyReferenced(&slot.pointee.box) {
      point(slot.pointee.anchor.unsafelyUnwrapped)
      used |= 1 << UInt64(index)
      return reinterpret(slot.pointee.box.unsafelyUnwrapped, as: Container.self)
    }
    let (container, anchor) = make()
    keep(container, anchor, id, index)
    return container
  }

  @inline(never)
  private func keep<Container>(_ container: Container, _ anchor: Anchor, _ id: ObjectIdentifier, _ index: Int) {
    guard MemoryLayout<Container>.size == MemoryLayout<AnyObject>.size else { return anchor.keepState() }
    slots[index].anchor?.keepState()  // the old one keeps the state from now on, where it is still in use
    slots[index] = Slot(type: id, box: object(of: container), anchor: anchor)
    used |= 1 << UInt64(index)
  }

  /// At the end of a document: containers that outlive it get a strong reference to the state and leave the cache.
  func release() {
    while used != 0 {
      let index = used.trailingZeroBitCount
      used &= used &- 1
      guard !isKnownUniquelyReferenced(&slots[index].box) else { continue }
      slots[index].anchor?.keepState()
      slots[index] = Slot()
    }
  }
}

private let slotCount = 64

/// What a kept container points at, in a state.
///
/// The state is not retained while the container is in the state's cache (that would be a cycle), and is from the
/// moment on that it leaves it. In between, the state lives because a call is running.
protocol ContainerAnchor: AnyObject {
  func keepState()
}
