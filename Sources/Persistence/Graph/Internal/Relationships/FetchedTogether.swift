/// Records which objects came from the same fetch, by their ids. A relationship of one of them is then fetched for all
/// of them, or for as many as a batch contains. Objects that were fetched alone are not recorded.
///
/// Only the ids of the most recently used fetches are kept, at most ``capacity`` of them: 512 KB.
struct FetchedTogether {
  enum Batch {
    case ids(ArraySlice<Int64>)
    /// A number of objects in memory with nearby ids.
    case neighbours(Int)
  }

  private struct Fetch {
    let entity: Int
    let batchSize: Int
    let ids: ContiguousArray<Int64>
    let range: ClosedRange<Int64>
    /// The range of the ids that exceeded the capacity.
    let rest: ClosedRange<Int64>?
    /// The start of the batch after the last one, where a loop continues.
    var next = 0

    mutating func batch(with id: Int64) -> Batch? {
      guard let index = index(of: id) else { return rest?.contains(id) == true ? .neighbours(batchSize) : nil }
      let start = index - index % batchSize
      next = min(start + batchSize, ids.count)
      return .ids(ids[start..<next])
    }

    private func index(of id: Int64) -> Int? {
      guard range.contains(id) else { return nil }
      return ids.indices.contains(next) && ids[next] == id ? next : ids.firstIndex(of: id)
    }
  }

  static let capacity = 65_536
  /// The limit for a single fetch. It leaves space for the members of the batches that follow.
  static let capacityOfOne = capacity / 2
  /// Walking through another relationship of each member of a batch adds at most as many fetches as the batch has
  /// members.
  private static let maximumFetches = 256
  /// The batch size for objects that no request fetched: members, and the targets of to-one relationships.
  static let batchSize = 256

  /// Sorted by last use, with the most recent one last.
  private var fetches: ContiguousArray<Fetch> = []
  /// The number of ids that are kept.
  private(set) var count = 0

  mutating func add(_ objects: some Collection<ManagedObject>, of entity: Entity, batchSize: Int = Self.batchSize) {
    guard objects.count > 1, !entity.relationships.isEmpty else { return }
    add(ContiguousArray(objects.lazy.map(\._id)), of: entity, batchSize: batchSize)
  }

  /// Records the members of several owners.
  mutating func add(_ groups: some Sequence<ContiguousArray<ManagedObject>>, of entity: Entity) {
    if entity.relationships.isEmpty { return }
    var ids: ContiguousArray<Int64> = []
    for group in groups { ids.append(contentsOf: group.lazy.map(\._id)) }
    if ids.count > 1 { add(ids, of: entity, batchSize: Self.batchSize) }
  }

  private mutating func add(_ all: ContiguousArray<Int64>, of entity: Entity, batchSize: Int) {
    let ids = all.count > Self.capacityOfOne ? ContiguousArray(all.prefix(Self.capacityOfOne)) : all
    guard let range = Self.range(ids[...]) else { return }
    // A repeated fetch, for example when a list is redrawn, replaces its predecessor.
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

  /// Returns the batch that contains an object, from the latest fetch that returned it. Nil if the object was fetched
  /// alone. The boundaries of the batches are fixed, so that a walk in any order requests each of them once.
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
