/// Tells those who follow a container of its commits, in their order.
///
/// Commits of all contexts pass through one lock, so that the order in which they are told is that in which they took
/// effect, and so that a reader can know exactly which of them it sees. SQLite lets only one writer commit at a time
/// anyway. A commit may wait for readers: so who follows is kept behind a lock of its own, which is never held for
/// long.
final class CommitHub: Sendable {
  private struct State {
    var observers: [any CommitObserver] = []
    /// The slots that somebody wants to know of every changed row, by class.
    var watched: [SlotSet]
    var watches: [ObjectIdentifier: [(entity: Int, slots: SlotSet)]] = [:]
    var hasEnded = false
  }

  private let schema: Schema
  private let state: Lock<State>
  private let progress = Lock(Progress())

  private struct Progress {
    /// How many commits there were.
    var count: UInt64 = 0
    /// The last commit in the store's history that was told or made here; nil if nobody follows it.
    var seen: Int64?
  }

  init(_ schema: Schema) {
    self.schema = schema
    state = Lock(State(watched: Array(repeating: SlotSet(), count: schema.entities.count)))
  }

  func add(
    _ observer: any CommitObserver, watching watches: [(entity: Int, slots: SlotSet)] = [], first isFirst: Bool = false
  ) {
    let hasEnded = state.withLock { state in
      if state.hasEnded { return true }
      state.observers.insert(observer, at: isFirst ? 0 : state.observers.count)
      if !watches.isEmpty { state.watches[ObjectIdentifier(observer)] = watches }
      for watch in watches { state.watched[watch.entity].formUnion(watch.slots) }
      return false
    }
    if hasEnded { observer.end() }
  }

  /// After the last commit: whoever follows, now or later, is told that there are no more.
  func end() {
    let observers = state.withLock { state in
      state.hasEnded = true
      return state.observers
    }
    for observer in observers { observer.end() }
  }

  func remove(_ observer: any CommitObserver) {
    state.withLock { state in
      state.observers.removeAll { $0 === observer }
      guard state.watches.removeValue(forKey: ObjectIdentifier(observer)) != nil else { return }
      state.watched = Array(repeating: SlotSet(), count: state.watched.count)
      for watch in state.watches.values.joined() { state.watched[watch.entity].formUnion(watch.slots) }
    }
  }

  /// Whether anybody besides the one who asks wants to hear of commits; if so, which slots of each class besides the
  /// changed ones.
  func interest(besides observer: (any CommitObserver)?) -> [SlotSet]? {
    state.withLock { state in
      state.observers.contains { $0 !== observer } ? state.watched : nil
    }
  }

  /// From here on commits of others are told too, those behind this number in the store's history.
  func followHistory(after number: Int64) { progress.withLock { $0.seen = number } }

  /// Commits, and tells everybody but `observer`. Those who began to follow after the changes were collected are told
  /// that anything may have changed.
  ///
  /// - Parameters:
  ///   - number: the commit's place in the store's history, if it has one.
  ///   - others: reads the commits in the history behind a number, which came before this one.
  func commit(
    _ changes: ChangeSet?, from observer: (any CommitObserver)?, as number: Int64?,
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
      // Whether an indeterminate one has taken effect nobody knows.
      publish(failure == nil ? changes : nil, from: observer, &progress)
      return failure
    }
  }

  private func publish(_ changes: ChangeSet?, from observer: (any CommitObserver)?, _ progress: inout Progress) {
    progress.count += 1
    let others = state.withLock { $0.observers }
    guard others.contains(where: { $0 !== observer }) else { return }
    let commit = Commit(number: progress.count, changes: changes ?? ChangeSet(everythingOf: schema))
    for other in others where other !== observer { other.receive(commit) }
  }

  /// Begins to read, and tells exactly how many commits it sees.
  ///
  /// - Parameter begin: begins a transaction in which those commits are visible that were told, and others perhaps. Of
  ///   what it reads in the history behind the number that it is given, these are told at once.
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
