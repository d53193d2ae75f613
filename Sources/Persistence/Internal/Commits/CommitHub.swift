/// Tells those who follow a container of its commits, in their order.
///
/// Commits of all contexts pass through one lock, so that the order in which they are told is that in which they took effect,
/// and so that a reader can know exactly which of them it sees. SQLite lets only one writer commit at a time anyway. A commit
/// may wait for readers: so who follows is kept behind a lock of its own, which is never held for long.
final class CommitHub: Sendable {
  private struct State {
    var observers: [any CommitObserver] = []
    /// The slots that somebody wants to know of every changed row, by class.
    var watched: [UInt64]
    var watches: [ObjectIdentifier: [(entity: Int, slots: UInt64)]] = [:]
    var hasEnded = false
  }

  private let schema: Schema
  private let state: Lock<State>
  /// How many commits there were.
  private let count = Lock(UInt64(0))

  init(_ schema: Schema) {
    self.schema = schema
    state = Lock(State(watched: Array(repeating: 0, count: schema.entities.count)))
  }

  func add(
    _ observer: any CommitObserver, watching watches: [(entity: Int, slots: UInt64)] = [], first isFirst: Bool = false
  ) {
    let hasEnded = state.withLock { state in
      if state.hasEnded { return true }
      state.observers.insert(observer, at: isFirst ? 0 : state.observers.count)
      if !watches.isEmpty { state.watches[ObjectIdentifier(observer)] = watches }
      for watch in watches { state.watched[watch.entity] |= watch.slots }
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
      state.watched = Array(repeating: 0, count: state.watched.count)
      for watch in state.watches.values.joined() { state.watched[watch.entity] |= watch.slots }
    }
  }

  /// Whether anybody besides the one who asks wants to hear of commits; if so, which slots of each class besides the changed
  /// ones.
  func interest(besides observer: (any CommitObserver)?) -> [UInt64]? {
    state.withLock { state in
      state.observers.contains { $0 !== observer } ? state.watched : nil
    }
  }

  /// Commits, and tells everybody but `observer`. Those who began to follow after the changes were collected are told that
  /// anything may have changed.
  func commit(
    _ changes: ChangeSet?, from observer: (any CommitObserver)?, _ commit: () -> DatabaseError?
  ) -> DatabaseError? {
    count.withLock { count in
      let error = commit()
      if let error, error.leavesNothingBehind { return error }
      // Whether an indeterminate one has taken effect nobody knows.
      publish(error == nil ? changes : nil, from: observer, &count)
      return error
    }
  }

  /// A change that was not made by a context of this container.
  func announce(_ changes: ChangeSet) {
    count.withLock { publish(changes, from: nil, &$0) }
  }

  private func publish(_ changes: ChangeSet?, from observer: (any CommitObserver)?, _ count: inout UInt64) {
    count += 1
    let others = state.withLock { $0.observers }
    guard others.contains(where: { $0 !== observer }) else { return }
    let commit = Commit(number: count, changes: changes ?? ChangeSet(everythingOf: schema))
    for other in others where other !== observer { other.receive(commit) }
  }

  /// Begins to read, and tells exactly how many commits it sees.
  func beginReading(_ begin: () throws(PersistenceError) -> Void) throws(PersistenceError) -> UInt64 {
    try count.withLock { (count) throws(PersistenceError) in
      try begin()
      return count
    }
  }
}
