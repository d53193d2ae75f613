/// A cache of keyed containers for reuse, one for each type of coding keys.
///
/// Creating a keyed container costs two lookups of generic metadata, one of a witness table and an allocation: a fifth
/// of the time for documents with many small objects. Instead, a container without another reference is redirected to
/// the next object through its anchor.
///
/// `KeyedDecodingContainer` and `KeyedEncodingContainer` contain one reference, to a box that their initializer
/// creates. That is not documented, so a container of a different size is never cached. The reference count shows
/// whether the box has other owners.
final class ContainerCache<Anchor: ContainerAnchor> {
  private struct Slot {
    var type: ObjectIdentifier?
    /// The container itself, as its single reference.
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

  /// Returns a container for a type of keys: a cached one that `point` redirects through its anchor, or a new one from
  /// `make`.
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
      // `keep` has compared the sizes, and all containers of a cache differ only in their keys. Unlike a pointer of the
      // other type, this looks up no metadata.
      return unsafeBitCast(slot.pointee.box.unsafelyUnwrapped, to: Container.self)
    }
    let (container, anchor) = make()
    keep(container, anchor, id, index)
    return container
  }

  @inline(never)
  private func keep<Container>(_ container: Container, _ anchor: Anchor, _ id: ObjectIdentifier, _ index: Int) {
    guard MemoryLayout<Container>.size == MemoryLayout<AnyObject>.size else { return anchor.keepState() }
    slots[index].anchor?.keepState()  // if still in use, the old one retains the state from now on
    slots[index] = Slot(type: id, box: object(of: container), anchor: anchor)
    used |= 1 << UInt64(index)
  }

  /// Called at the end of a document: containers that outlive it get a strong reference to the state and leave the
  /// cache.
  func release() {
    while used != 0 {
      let index = used.trailingZeroBitCount
      used &= used &- 1
      slots[index].anchor?.forget()
      guard !isKnownUniquelyReferenced(&slots[index].box) else { continue }
      slots[index].anchor?.keepState()
      slots[index] = Slot()
    }
  }
}

private let slotCount = 64

/// The target of a cached container in a state.
///
/// While the container is in the state's cache, it does not retain the state, which would be a cycle. It retains the
/// state from the moment it leaves the cache. In between, the state lives because a call is running.
protocol ContainerAnchor: AnyObject {
  /// Lets go of what may refer to the state, at the end of a document.
  func forget()
  func keepState()
}
