/// The commits of a context that can be undone or redone.
final class UndoHistory {
  /// The maximum number of commits to keep. 0 keeps none.
  var limit = 0 {
    didSet { trim() }
  }
  /// Set while a commit is made that undoes or redoes another one. That commit is not added.
  var isPaused = false
  private(set) var done: [ChangeSet] = []
  private(set) var undone: [ChangeSet] = []

  private var isRecording: Bool { limit > 0 && !isPaused }

  private func add(_ changes: ChangeSet) {
    guard isRecording, !changes.isEmpty else { return }
    undone = []
    // Without this commit, an undo of an earlier one would lead to a state that never existed.
    guard changes.isTold else { return done = [] }
    done.append(changes)
    trim()
  }

  /// Removes the last commit, which is not to be undone. Returns false if there is none.
  func skip() -> Bool { done.popLast() != nil }

  /// Records that the last commit was undone.
  func moveBack() {
    if let last = done.popLast() { undone.append(last) }
  }

  /// Records that the last undone commit was redone.
  func moveForward() {
    if let last = undone.popLast() { done.append(last) }
  }

  private func trim() {
    if done.count > limit { done.removeFirst(done.count - limit) }
    // The commits that were undone first would be redone last.
    if undone.count > limit { undone.removeFirst(undone.count - limit) }
  }
}

extension UndoHistory: SaveObserver {
  func interest(in connection: Connection) -> SaveInterest { isRecording ? [.rows, .orders] : [] }

  func committed(_ changes: ChangeSet?) { if let changes { add(changes) } }

  func reset() {
    done = []
    undone = []
  }
}

extension ChangeSet {
  /// Whether the change set contains all changes and can therefore be undone.
  fileprivate var isTold: Bool {
    let hasUnknownLinks = links.contains { if case .all = $0 { true } else { false } }
    return !hasUnknownLinks && entities.allSatisfy { !$0.isWhole && $0.rows.allSatisfy($0.isTold) }
  }
}

extension ObjectSpace {
  /// Nil if undo has never been turned on.
  var undoHistory: UndoHistory? { saveObservers.lazy.compactMap { $0 as? UndoHistory }.first }

  func setUndoLimit(_ limit: Int) {
    if undoHistory == nil, limit > 0 { saveObservers.append(UndoHistory()) }
    undoHistory?.limit = limit
  }

  /// Undoes the last commit in a new commit. Returns false if there is none.
  func undo() throws(PersistenceError) -> Bool {
    guard let undoHistory, let last = undoHistory.done.last else { return false }
    try commit(last.inverted, besides: undoHistory)
    undoHistory.moveBack()
    return true
  }

  func redo() throws(PersistenceError) -> Bool {
    guard let undoHistory, let last = undoHistory.undone.last else { return false }
    try commit(last, besides: undoHistory)
    undoHistory.moveForward()
    return true
  }

  private func commit(_ changes: ChangeSet, besides undoHistory: UndoHistory) throws(PersistenceError) {
    if hasChanges { throw .unsavedChanges }
    undoHistory.isPaused = true
    defer { undoHistory.isPaused = false }
    try persist { try $0.apply(changes) }
  }
}
