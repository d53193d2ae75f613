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
    /// A `Copier` of the container.
    var copier: AnyObject?
  }

  /// Copies a container. It has the type's metadata, which a caller would look up for each copy.
  private final class Copier<Container> {
    /// It is in the same slot, where another owner would show in its reference count.
    private let box: Unmanaged<AnyObject>

    init(_ box: AnyObject) { self.box = .passUnretained(box) }

    @inline(never)
    func copy() -> Container { unsafeBitCast(box, to: Container.self) }
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
    // Types are often at equal distances in memory, which a multiplication spreads over the slots.
    let first = Int((UInt64(UInt(bitPattern: id)) &* 0x9E37_79B9_7F4A_7C15) >> 58)
    var (index, probes) = (first, 0)
    // Eight slots are tried, for other types with the same index, and for objects inside objects of the same type.
    while probes < 8, let type = slots[index].type {
      if type == id, isKnownUniquelyReferenced(&slots[index].box) {
        used |= 1 << UInt64(index)
        // All containers of a cache differ only in their keys. Copied first, so that the slot cannot change before.
        let container = unsafeDowncast(slots[index].copier.unsafelyUnwrapped, to: Copier<Container>.self).copy()
        point(slots[index].anchor.unsafelyUnwrapped)
        return container
      }
      (index, probes) = ((index &+ 1) & (slotCount - 1), probes &+ 1)
    }
    let (container, anchor) = make()
    keep(container, anchor, id, probes < 8 ? index : first)
    return container
  }

  @inline(never)
  private func keep<Container>(_ container: Container, _ anchor: Anchor, _ id: ObjectIdentifier, _ index: Int) {
    guard MemoryLayout<Container>.size == MemoryLayout<AnyObject>.size,
      slots[index].type == nil || isKnownUniquelyReferenced(&slots[index].box)
    else { return anchor.keepState() }
    let box = object(of: container)
    slots[index] = Slot(type: id, box: box, anchor: anchor, copier: Copier<Container>(box))
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
