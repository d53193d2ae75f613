/// Deleted objects that are still referenced, without owning them. They know their table, so that it hears of
/// assignments to them; like those in the map they leave in their `deinit`.
struct DeletedObjects {
  /// By their ids, which costs less than hashing them: a deletion may take half a million along.
  private var map = IdentityMap()
  /// Those whose id another one has too: the row came back, and was deleted again.
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
