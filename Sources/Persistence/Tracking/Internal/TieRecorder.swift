/// Records which rows of tracked classes a commit has changed together.
///
/// A single row is no tie. Neither is what another program changes, which no space sees. Of a class with too many
/// changed rows to list, none belongs to the tie.
final class TieRecorder {
  /// The names of the tracked classes, and the slots that tie, by the number of the class.
  private let classes: [Int: (name: String, slots: SlotSet)]
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
  }

  /// The rows that a change set ties, by class.
  private func tied(by changes: ChangeSet) -> [(name: String, ids: [Int64])] {
    changes.entities.compactMap { changes in
      guard let (name, slots) = classes[changes.entity.index], !changes.isWhole else { return nil }
      return (name, changes.rows.filter { $0.kind != .updated || !$0.mask.isDisjoint(with: slots) }.map(\.id))
    }
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
