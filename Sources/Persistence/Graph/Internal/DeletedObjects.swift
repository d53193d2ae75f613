/// Unowned references to deleted objects that still exist. The objects refer to their registry, which is notified of
/// assignments to them. Like objects in the identity map, they remove themselves in their `deinit`.
struct DeletedObjects {
  /// By id, which costs less than hashing: one deletion may include half a million objects.
  private var map = IdentityMap()
  /// Objects whose id occurs more than once, because the row returned and was deleted again.
  private var others: Set<UnsafeMutableRawPointer> = []

  mutating func insert(_ object: ManagedObject) {
    let known = map.object(object._id)
    if known == nil {
      map.insert(object)
    } else if known !== object {
      others.insert(Unmanaged.passUnretained(object).toOpaque())
    }
  }

  mutating func remove(_ object: ManagedObject) {
    if !map.remove(object) { others.remove(Unmanaged.passUnretained(object).toOpaque()) }
  }

  func forEach(_ body: (ManagedObject) -> Void) {
    for object in map.objects() { body(object) }
    for pointer in others { body(Unmanaged<ManagedObject>.fromOpaque(pointer).takeUnretainedValue()) }
  }

  func deallocate() { map.deallocate() }
}
