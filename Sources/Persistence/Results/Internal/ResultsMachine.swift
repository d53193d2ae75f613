/// Updates live results with commits. It has no side effects: it returns which rows to read from the store, and
/// continues with the answer.
///
/// Commits arrive in order. The rows always show the state after exactly one commit, `number`. Commits up to that one
/// are used only to report values that changed in place.
struct ResultsMachine {
  enum Action {
    case nothing
    /// The rows, or values of them, have changed.
    case publish(ResultsRows, RowsDifference)
    /// Read the rows with these ids, and answer with ``answer(_:for:_:at:)``.
    case read([Int64])
    /// Read all rows, and answer with ``answerAll(_:for:at:)``.
    case readAll
  }

  let plan: ResultsPlan
  private(set) var rows: ResultsRows
  /// The commit whose state the rows show. Nil before the rows are first read, and after reading failed.
  private(set) var number: UInt64?
  /// Whether commits were skipped without examining their changes.
  private var hasMissed = false

  init(_ plan: ResultsPlan) {
    self.plan = plan
    rows = ResultsRows(order: plan.order, hasSections: plan.hasSections)
  }

  /// The number of changed rows above which all rows are read again.
  var threshold: Int { max(256, rows.count / 4) }

  mutating func receive(_ commit: Commit) -> Action {
    guard let number else { return .readAll }
    let own = commit.changes.changes(of: plan.entity)
    if commit.number <= number { return touch(own) }
    let isAffected = isAffectedElsewhere(commit.changes)
    guard let own else {
      if isAffected { return .readAll }
      self.number = commit.number
      return .nothing
    }
    if isAffected || own.isWhole || own.rows.count > threshold { return .readAll }
    if plan.hasBounds || !plan.dependencies.isLocal {
      // Unless nothing that the results depend on has changed.
      if own.affects(slots) {
        // Rows of the class may also be related objects of other rows.
        let isOwnOnly = !plan.hasBounds && !plan.dependencies.others.contains(plan.entity.index)
        return isOwnOnly ? read(own) : .readAll
      }
      self.number = commit.number
      return touch(own)
    }
    return apply(own, at: commit.number)
  }

  /// The attributes of the class that rows and order depend on.
  private var slots: SlotSet { plan.dependencies.slots[plan.entity.index] ?? SlotSet() }

  /// Whether another class or a relationship that the condition depends on has changed.
  private func isAffectedElsewhere(_ set: ChangeSet) -> Bool {
    if plan.dependencies.isLocal { return false }
    for changes in set.entities where changes.entity !== plan.entity {
      guard let slots = plan.dependencies.slots[changes.entity.index] else { continue }
      if changes.affects(slots) { return true }
    }
    return set.links.contains { link in
      switch link {
      case .added(let join, _, _), .removed(let join, _, _), .all(let join): plan.dependencies.joins.contains(join)
      // The first member of an ordered relationship may have changed.
      case .reordered: true
      }
    }
  }

  private mutating func apply(_ changes: EntityChanges, at number: UInt64) -> Action {
    var gone: [ResultsEntry] = []
    var come: [ResultsEntry] = []
    var touched: [(old: ResultsEntry, new: ResultsEntry)] = []
    // The previous values of merged rows are not known here.
    if changes.rows.contains(where: \.isMerged) { return read(changes) }
    for row in changes.rows {
      let old = RowValues(changes: changes, row: row, isNew: false, paths: plan.dependencies.paths)
      let new = RowValues(changes: changes, row: row, isNew: true, paths: plan.dependencies.paths)
      var before: ResultsEntry?
      var after: ResultsEntry?
      if row.kind != .inserted {
        guard let matches = plan.matches(old), let entry = plan.entry(of: old) else { return read(changes) }
        if matches { before = entry }
      }
      if row.kind != .deleted {
        let isAsBefore = row.kind == .updated && row.mask.isDisjoint(with: plan.conditionSlots)
        guard let matches = isAsBefore ? before != nil : plan.matches(new), let entry = plan.entry(of: new)
        else { return read(changes) }
        if matches { after = entry }
      }
      switch (before, after) {
      case (let before?, let after?):
        if rows.order.order(before, after) == 0 {
          touched.append((before, after))
        } else {
          gone.append(before)
          come.append(after)
        }
      case (let before?, nil): gone.append(before)
      case (nil, let after?): come.append(after)
      case (nil, nil): break
      }
    }
    return replace(gone, by: come, touched, at: number)
  }

  private func read(_ changes: EntityChanges) -> Action { .read(changes.rows.map(\.id)) }

  private mutating func replace(
    _ gone: [ResultsEntry], by come: [ResultsEntry], _ touched: [(old: ResultsEntry, new: ResultsEntry)],
    at number: UInt64
  ) -> Action {
    let old = rows
    guard let (removed, inserted) = rows.replace(gone, by: come) else { return .readAll }
    self.number = number
    var updates: [RowsDifference.Update] = []
    for row in touched {
      guard let before = old.index(of: row.old), let after = rows.index(of: row.new) else {
        rows = old
        self.number = nil
        return .readAll
      }
      updates.append(.init(old: before, new: after, id: row.old.id))
    }
    updates.sort { $0.new < $1.new }
    var difference = RowsDifference(removed: removed, inserted: inserted, touched: updates)
    difference.settle(from: old, to: rows)
    return difference.isEmpty ? .nothing : .publish(rows, difference)
  }

  /// Reports rows that stay where they are and may have new values.
  private func touch(_ changes: EntityChanges?) -> Action {
    guard let changes else { return .nothing }
    var difference = RowsDifference(removed: [], inserted: [], touched: [])
    difference.isComplete = !changes.isWhole
    let ids = changes.updatedIDs
    if !ids.isEmpty {
      difference.updated = rows.positions(of: ids).map { .init(old: $0.index, new: $0.index, id: $0.row.id) }
    }
    return difference.isEmpty ? .nothing : .publish(rows, difference)
  }

  // Answers

  /// Processes the rows among the ids that `commit` has changed, as they are in the store after the commit `number`.
  mutating func answer(_ entries: ContiguousArray<ResultsEntry>, for commit: Commit, at number: UInt64) -> Action {
    // Later commits have changed further rows.
    guard number == commit.number, let changes = commit.changes.changes(of: plan.entity) else { return .readAll }
    let gone = rows.positions(of: Set(changes.rows.map(\.id))).map { rows.entry(of: $0.row) }
    let before = Dictionary(gone.map { ($0.id, $0) }) { first, _ in first }
    var touched: [(old: ResultsEntry, new: ResultsEntry)] = []
    var come: [ResultsEntry] = []
    var staying: Set<Int64> = []
    for entry in entries {
      if let old = before[entry.id], rows.order.order(old, entry) == 0 {
        staying.insert(entry.id)
        touched.append((old, entry))
      } else {
        come.append(entry)
      }
    }
    return replace(gone.filter { !staying.contains($0.id) }, by: come, touched, at: number)
  }

  /// Processes all rows, as they are in the store after the commit `number`.
  ///
  /// - Parameter commit: The commit that made reading necessary, if there was one.
  mutating func answerAll(
    _ entries: ContiguousArray<ResultsEntry>, for commit: Commit?, at number: UInt64
  ) -> Action {
    let old = rows
    rows = ResultsRows(entries, order: plan.order, hasSections: plan.hasSections)
    self.number = number
    var difference = RowsDifference(from: old, to: rows)
    if let changes = commit?.changes.changes(of: plan.entity) {
      difference.isComplete = !changes.isWhole && !hasMissed
      difference.note(changes.updatedIDs, from: old, to: rows)
    }
    hasMissed = false
    difference.settle(from: old, to: rows)
    return difference.isEmpty ? .nothing : .publish(rows, difference)
  }

  /// Records that the store could not be read. The next commit causes all rows to be read.
  mutating func fail() {
    number = nil
    hasMissed = true
  }
}

extension EntityChanges {
  fileprivate var updatedIDs: Set<Int64> { Set(rows.lazy.filter { $0.kind == .updated && !$0.mask.isEmpty }.map(\.id)) }
}
