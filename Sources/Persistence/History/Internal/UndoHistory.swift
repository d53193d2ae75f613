/// The commits of a context that can be undone or redone.
struct UndoHistory {
  /// The maximum number of commits to keep. 0 keeps none.
  var limit = 0 {
    didSet { trim() }
  }
  /// Set while a commit is made that undoes or redoes another one. That commit is not added.
  var isPaused = false
  private(set) var done: [ChangeSet] = []
  private(set) var undone: [ChangeSet] = []

  /// Whether commits are added, and their changes therefore needed.
  var isRecording: Bool { limit > 0 && !isPaused }

  mutating func add(_ changes: ChangeSet) {
    guard isRecording, !changes.isEmpty else { return }
    undone = []
    // Without this commit, an undo of an earlier one would lead to a state that never existed.
    guard changes.isTold else { return done = [] }
    done.append(changes)
    trim()
  }

  /// Removes the last commit, which is not to be undone. Returns false if there is none.
  mutating func skip() -> Bool { done.popLast() != nil }

  mutating func removeAll() {
    done = []
    undone = []
  }

  /// Records that the last commit was undone.
  mutating func moveBack() {
    if let last = done.popLast() { undone.append(last) }
  }

  /// Records that the last undone commit was redone.
  mutating func moveForward() {
    if let last = undone.popLast() { done.append(last) }
  }

  private mutating func trim() {
    if done.count > limit { done.removeFirst(done.count - limit) }
    // The commits that were undone first would be redone last.
    if undone.count > limit { undone.removeFirst(undone.count - limit) }
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
  /// Undoes the last commit in a new commit. Returns false if there is none.
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
    undoHistory.isPaused = true
    defer { undoHistory.isPaused = false }
    try persist { try $0.apply(changes) }
  }
}
