/// Notifies the listeners of a container of its commits, in commit order.
///
/// The commits of all contexts pass through a lock. Listeners therefore receive them in the order in which they took
/// effect, and a reader can determine exactly which of them it sees. SQLite allows only one writer to commit at a time
/// anyway. A commit may wait for readers, so the listeners have a separate lock that is never held for long.
final class CommitBroadcaster: Sendable {
  private struct State {
    var listeners: [CommitListener] = []
    /// The slots that listeners want with every changed row, indexed by class.
    var watched: [SlotSet]
    var watches: [ObjectIdentifier: [(entity: Int, slots: SlotSet)]] = [:]
    var hasEnded = false
    var published: UInt64 = 0
  }

  private let schema: Schema
  private let state: Lock<State>
  private let progress = Lock(Progress())

  private struct Progress {
    /// The number of commits so far.
    var count: UInt64 = 0
    /// The number of the last commit in the store's history that was published or made here. Nil if the history is not
    /// followed.
    var seen: Int64?
  }

  init(_ schema: Schema) {
    self.schema = schema
    state = Lock(State(watched: Array(repeating: SlotSet(), count: schema.entities.count)))
  }

  func add(
    _ listener: CommitListener, watching watches: [(entity: Int, slots: SlotSet)] = [], first isFirst: Bool = false
  ) {
    let hasEnded = state.withLock { state in
      if state.hasEnded { return true }
      state.listeners.insert(listener, at: isFirst ? 0 : state.listeners.count)
      if !watches.isEmpty { state.watches[ObjectIdentifier(listener)] = watches }
      for watch in watches { state.watched[watch.entity].formUnion(watch.slots) }
      return false
    }
    if hasEnded { listener.end() }
  }

  /// Notifies all listeners, present and future, that no more commits follow. Call this after the last commit.
  func end() {
    let listeners = state.withLock { state in
      state.hasEnded = true
      return state.listeners
    }
    for listener in listeners { listener.end() }
  }

  func remove(_ listener: CommitListener) {
    state.withLock { state in
      state.listeners.removeAll { $0 === listener }
      guard state.watches.removeValue(forKey: ObjectIdentifier(listener)) != nil else { return }
      state.watched = Array(repeating: SlotSet(), count: state.watched.count)
      for watch in state.watches.values.joined() { state.watched[watch.entity].formUnion(watch.slots) }
    }
  }

  /// Returns the slots of each class that listeners want in addition to the changed ones. Nil if there are no listeners
  /// other than `listener`.
  func interest(besides listener: CommitListener?) -> [SlotSet]? {
    state.withLock { state in
      state.listeners.contains { $0 !== listener } ? state.watched : nil
    }
  }

  /// Also publishes commits of others from now on: those after this number in the store's history.
  func followHistory(after number: Int64) { progress.withLock { $0.seen = number } }

  /// Commits, and notifies all listeners except `listener`. Listeners added after the changes were collected are
  /// notified that anything may have changed.
  ///
  /// - Parameters:
  ///   - number: The commit's number in the store's history, if it has one.
  ///   - others: Reads the commits after a number in the history that precede this one.
  func commit(
    _ changes: ChangeSet?, from listener: CommitListener?, as number: Int64?,
    after others: (Int64) -> [ChangeSet],
    _ commit: () -> FailedCommit?
  ) -> FailedCommit? {
    progress.withLock { progress in
      var earlier: [ChangeSet] = []
      if let number, let seen = progress.seen, number != seen &+ 1 { earlier = others(seen) }
      let failure = commit()
      if let failure, failure.isRolledBack { return failure }
      for changes in earlier { publish(changes, from: nil, &progress) }
      if let number, progress.seen != nil {
        if failure == nil { progress.seen = number } else if !earlier.isEmpty { progress.seen = number &- 1 }
      }
      // It is unknown whether an indeterminate commit has taken effect.
      publish(failure == nil ? changes : nil, from: listener, &progress)
      return failure
    }
  }

  /// Notifies all listeners that anything may have changed.
  func publishUnknown() { progress.withLock { publish(nil, from: nil, &$0) } }

  private func publish(_ changes: ChangeSet?, from listener: CommitListener?, _ progress: inout Progress) {
    progress.count += 1
    let others = state.withLock { state in
      state.published = progress.count
      return state.listeners
    }
    guard others.contains(where: { $0 !== listener }) else { return }
    let commit = Commit(number: progress.count, changes: changes ?? ChangeSet(everythingOf: schema))
    for other in others where other !== listener { other.receive(commit) }
    for other in others { other.settle(commit) }
  }

  /// The number of commits so far. A read that begins now sees all of them.
  var count: UInt64 { progress.withLock { $0.count } }

  /// The number of commits so far, without those that are taking effect now. Never waits for a commit.
  var published: UInt64 { state.withLock { $0.published } }

  /// Begins a read, and returns exactly how many commits it sees.
  ///
  /// - Parameter begin: Begins a transaction that sees all published commits, and possibly others. It must not wait for
  ///   a writer, which may be waiting for this call. It receives the number of the last one seen in the history. The
  ///   later commits that it returns are published immediately.
  func beginReading(
    _ begin: (_ seen: Int64?) throws(PersistenceError) -> (sets: [ChangeSet], last: Int64)?
  ) throws(PersistenceError) -> UInt64 {
    try progress.withLock { (progress) throws(PersistenceError) in
      if let unseen = try begin(progress.seen) {
        progress.seen = unseen.last
        for changes in unseen.sets { publish(changes, from: nil, &progress) }
      }
      return progress.count
    }
  }
}
