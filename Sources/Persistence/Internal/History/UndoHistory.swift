/// The commits of a context that can be undone, and those that were and can be done again.
struct UndoHistory {
  /// How many are kept; none for 0.
  var limit = 0 {
    didSet { trim() }
  }
  private(set) var done: [ChangeSet] = []
  private(set) var undone: [ChangeSet] = []

  mutating func add(_ changes: ChangeSet) {
    guard limit > 0, !changes.isEmpty else { return }
    undone = []
    // What cannot be undone would only stand in the way of what was done before.
    guard changes.isTold else { return }
    done.append(changes)
    trim()
  }

  /// The last one is not to be undone. False if there is none.
  mutating func skip() -> Bool { done.popLast() != nil }

  mutating func removeAll() {
    done = []
    undone = []
  }

  /// The last one was undone.
  mutating func moveBack() {
    if let last = done.popLast() { undone.append(last) }
  }

  /// The last one that was undone is done again.
  mutating func moveForward() {
    if let last = undone.popLast() { done.append(last) }
  }

  private mutating func trim() {
    if done.count > limit { done.removeFirst(done.count - limit) }
    // Those that were undone first come last when they are done again.
    if undone.count > limit { undone.removeFirst(undone.count - limit) }
  }
}

extension ChangeSet {
  /// Whether it tells everything that has changed, and so can be undone.
  fileprivate var isTold: Bool {
    let hasUnknownLinks = links.contains { if case .all = $0 { true } else { false } }
    return !hasUnknownLinks && entities.allSatisfy { !$0.isWhole && $0.rows.allSatisfy($0.isTold) }
  }
}

extension ObjectSpace {
  /// Undoes the last commit, in a commit. False if there is none.
  func undo() throws(PersistenceError) -> Bool {
    guard let last = undoHistory.done.last else { return false }
    try commitUnrecorded(last.inverted)
    undoHistory.moveBack()
    return true
  }

  func redo() throws(PersistenceError) -> Bool {
    guard let last = undoHistory.undone.last else { return false }
    try commitUnrecorded(last)
    undoHistory.moveForward()
    return true
  }

  private func commitUnrecorded(_ changes: ChangeSet) throws(PersistenceError) {
    if hasChanges { throw .unsavedChanges }
    unit.isUndoing = true
    defer { unit.isUndoing = false }
    try persist { try $0.apply(changes) }
  }

  /// Runs the closure and tells what saving would commit, and puts the objects back to what they were before.
  func preview(_ body: (ObjectSpace) throws -> Void) throws(PersistenceError) -> ChangeSet {
    unit.isPreviewing = true
    defer { unit.isPreviewing = false }
    return try discarding(body)
  }
}
