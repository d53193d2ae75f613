/// Records which rows of tracked classes a commit has changed together.
///
/// A single row is no tie. Neither is what another program changes, which no space sees. Of a class with too many
/// changed rows to list, none belongs to the tie.
final class TieRecorder {
  /// The names of the tracked classes, and the slots that tie, by the number of the class.
  private let classes: [Int: (name: String, slots: SlotSet)]
  /// The relationships that tie, and the numbers of their classes.
  private let lists: [(entity: Int, list: TrackedClassDescription.List)]
  private var connection: Connection?
  /// Whether the open transaction also writes changes that were not made here.
  var skipsCommit = false

  init(_ classes: [TrackedClassDescription]) {
    self.classes = Dictionary(
      classes.map { tracked in
        var slots = SlotSet()
        for attribute in tracked.attributes where !attribute.isIgnored && !attribute.isIndependent {
          slots.insert(attribute.slot)
        }
        return (tracked.index, (tracked.name, slots))
      }
    ) { first, _ in first }
    lists = classes.flatMap { tracked in
      tracked.lists.filter { !$0.isIndependent }.map { (tracked.index, $0) }
    }
  }

  /// The rows that a change set ties, by class.
  private func tied(by changes: ChangeSet) -> [(name: String, ids: [Int64])] {
    var owners = owners(in: changes.links)
    for changes in changes.entities {
      guard let (_, slots) = classes[changes.entity.index] else { continue }
      let rows = changes.rows.lazy.filter { $0.kind != .updated || !$0.mask.isDisjoint(with: slots) }.map(\.id)
      owners[changes.entity.index] = changes.isWhole ? nil : owners[changes.entity.index, default: []].union(rows)
    }
    return owners.sorted { $0.key < $1.key }.compactMap { index, ids in
      classes[index].map { (name: $0.name, ids: ids.sorted()) }
    }
  }

  /// The objects whose members have changed, by the number of their class.
  private func owners(in links: ContiguousArray<LinkChange>) -> [Int: Set<Int64>] {
    var owners: [Int: Set<Int64>] = [:]
    if lists.isEmpty { return owners }
    for link in links {
      for (entity, list) in lists {
        switch link {
        case .added(list.join, let first, let second), .removed(list.join, let first, let second):
          owners[entity, default: []].insert(list.isFirst ? first : second)
        case .reordered(entity, list.relation, let owner, _): owners[entity, default: []].insert(owner)
        default: break
        }
      }
    }
    return owners
  }
}

extension TieRecorder: SaveObserver {
  func interest(in connection: Connection) -> SaveInterest {
    self.connection = connection
    return .rows
  }

  func willCommit(_ changes: ChangeSet?) throws(PersistenceError) -> Int64? {
    guard !skipsCommit, let connection, let changes else { return nil }
    let tied = tied(by: changes)
    guard tied.reduce(0, { $0 + $1.ids.count }) > 1 else { return nil }
    let last = try connection.statement("SELECT max(\"commit\") FROM _larder_tie").integer() ?? 0
    let statement = try connection.statement("INSERT INTO _larder_tie SELECT ?1,?2,value FROM json_each(?3)")
    for (name, ids) in tied where !ids.isEmpty {
      try statement.bind([.integer(last + 1), .text(name), .text(SQL.json(ids))])
      try statement.run()
    }
    return nil
  }

  func committed(_ changes: ChangeSet?) { skipsCommit = false }

  func rolledBack() { skipsCommit = false }
}
