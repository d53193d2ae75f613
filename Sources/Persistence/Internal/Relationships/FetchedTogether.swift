/// Which objects came with one fetch, by their ids: what a relationship of one leads to is asked for all of them, or
/// for so many as a batch has.
///
/// The ids are all that is kept, of the latest fetches, and no more than ``capacity`` of them: 512 KB.
struct FetchedTogether {
  private struct Fetch {
    let entity: Int
    let batchSize: Int
    let ids: ContiguousArray<Int64>
    let range: ClosedRange<Int64>
    /// Where the batch after the last one begins: a loop goes on there.
    var next = 0
  }

  static let capacity = 65_536
  private static let maximumFetches = 64
  /// Of objects that no request asked for: members, and what to-ones lead to.
  static let batchSize = 256

  private var fetches: ContiguousArray<Fetch> = []
  /// How many ids are kept.
  private(set) var count = 0

  /// Of more objects than ``capacity`` the first ones count.
  mutating func add(_ objects: some Collection<ManagedObject>, of entity: Entity, batchSize: Int = Self.batchSize) {
    guard objects.count > 1, !entity.relationships.isEmpty else { return }
    add(ContiguousArray(objects.lazy.prefix(Self.capacity).map(\._id)), of: entity, batchSize: batchSize)
  }

  /// The members of several owners.
  mutating func add(_ groups: some Collection<ContiguousArray<ManagedObject>>, of entity: Entity) {
    if entity.relationships.isEmpty { return }
    var ids: ContiguousArray<Int64> = []
    for group in groups where ids.count < Self.capacity {
      ids.append(contentsOf: group.lazy.prefix(Self.capacity - ids.count).map(\._id))
    }
    if ids.count > 1 { add(ids, of: entity, batchSize: Self.batchSize) }
  }

  private mutating func add(_ ids: ContiguousArray<Int64>, of entity: Entity, batchSize: Int) {
    guard let least = ids.min(), let greatest = ids.max() else { return }
    if let last = fetches.last, last.entity == entity.index, last.ids == ids { return }
    count += ids.count
    while count > Self.capacity || fetches.count >= Self.maximumFetches { count -= fetches.removeFirst().ids.count }
    fetches.append(
      Fetch(entity: entity.index, batchSize: max(1, batchSize), ids: ids, range: least...greatest))
  }

  /// The batch of the latest fetch that an object came with; nil if it came alone. Batches have their fixed places in
  /// the fetch, so that a walk in any order asks for each of them once.
  mutating func batch(with id: Int64, of entity: Entity) -> ArraySlice<Int64>? {
    for index in fetches.indices.reversed() where fetches[index].entity == entity.index {
      guard fetches[index].range.contains(id) else { continue }
      let (ids, size, next) = (fetches[index].ids, fetches[index].batchSize, fetches[index].next)
      let isNext = ids.indices.contains(next) && ids[next] == id
      guard let place = isNext ? next : ids.firstIndex(of: id) else { continue }
      let start = place - place % size
      let end = min(start + size, ids.count)
      fetches[index].next = end
      return ArraySlice(ids[start..<end])
    }
    return nil
  }

  mutating func removeAll() {
    fetches.removeAll()
    count = 0
  }
}
