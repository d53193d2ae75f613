/// Which objects came with one fetch, by their ids: what a relationship of one leads to is asked for all of them, or
/// for so many as a batch has. An object that came alone is not here.
///
/// The ids are all that is kept, of the fetches that were used latest, and no more than ``capacity`` of them: 512 KB.
struct FetchedTogether {
  enum Batch {
    case ids(ArraySlice<Int64>)
    /// So many objects in memory whose ids are near.
    case neighbours(Int)
  }

  private struct Fetch {
    let entity: Int
    let batchSize: Int
    let ids: ContiguousArray<Int64>
    let range: ClosedRange<Int64>
    /// The range of the ids that were too many to be kept.
    let rest: ClosedRange<Int64>?
    /// Where the batch after the last one begins: a loop goes on there.
    var next = 0

    mutating func batch(with id: Int64) -> Batch? {
      guard let place = place(of: id) else { return rest?.contains(id) == true ? .neighbours(batchSize) : nil }
      let start = place - place % batchSize
      next = min(start + batchSize, ids.count)
      return .ids(ids[start..<next])
    }

    private func place(of id: Int64) -> Int? {
      guard range.contains(id) else { return nil }
      return ids.indices.contains(next) && ids[next] == id ? next : ids.firstIndex(of: id)
    }
  }

  static let capacity = 65_536
  /// Of one fetch: so that the members that a batch leads to leave room for the batches to come.
  static let capacityOfOne = capacity / 2
  /// A walk through another relationship of each member of a batch adds as many at most as the batch has.
  private static let maximumFetches = 256
  /// Of objects that no request asked for: members, and what to-ones lead to.
  static let batchSize = 256

  /// What was used last comes last.
  private var fetches: ContiguousArray<Fetch> = []
  /// How many ids are kept.
  private(set) var count = 0

  mutating func add(_ objects: some Collection<ManagedObject>, of entity: Entity, batchSize: Int = Self.batchSize) {
    guard objects.count > 1, !entity.relationships.isEmpty else { return }
    add(ContiguousArray(objects.lazy.map(\._id)), of: entity, batchSize: batchSize)
  }

  /// The members of several owners.
  mutating func add(_ groups: some Sequence<ContiguousArray<ManagedObject>>, of entity: Entity) {
    if entity.relationships.isEmpty { return }
    var ids: ContiguousArray<Int64> = []
    for group in groups { ids.append(contentsOf: group.lazy.map(\._id)) }
    if ids.count > 1 { add(ids, of: entity, batchSize: Self.batchSize) }
  }

  private mutating func add(_ all: ContiguousArray<Int64>, of entity: Entity, batchSize: Int) {
    let ids = all.count > Self.capacityOfOne ? ContiguousArray(all.prefix(Self.capacityOfOne)) : all
    guard let range = Self.range(ids[...]) else { return }
    // The same again, as when a list is drawn, takes its own place.
    if let last = fetches.last, last.entity == entity.index, last.ids == ids {
      count -= ids.count
      fetches.removeLast()
    }
    count += ids.count
    while count > Self.capacity || fetches.count >= Self.maximumFetches { count -= fetches.removeFirst().ids.count }
    fetches.append(
      Fetch(
        entity: entity.index, batchSize: max(1, batchSize), ids: ids, range: range,
        rest: Self.range(all.dropFirst(ids.count))))
  }

  private static func range(_ ids: ArraySlice<Int64>) -> ClosedRange<Int64>? {
    guard let least = ids.min(), let greatest = ids.max() else { return nil }
    return least...greatest
  }

  /// The batch of the latest fetch that an object came with; nil if it came alone. Batches have their fixed places in
  /// the fetch, so that a walk in any order asks for each of them once.
  mutating func batch(with id: Int64, of entity: Entity) -> Batch? {
    for index in fetches.indices.reversed() where fetches[index].entity == entity.index {
      guard let batch = fetches[index].batch(with: id) else { continue }
      if index < fetches.count - 1 { fetches.append(fetches.remove(at: index)) }
      return batch
    }
    return nil
  }

  mutating func removeAll() {
    fetches.removeAll()
    count = 0
  }
}
