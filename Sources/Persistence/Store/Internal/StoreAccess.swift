/// What a space knows of its store: how to connect to it, the ids that no context holds any more, and the commits.
final class StoreAccess: Sendable {
  let place: StorePlace
  let schema: Schema
  /// The full-text indexes that this store updates: none if it is read-only.
  let searchTables: [SearchTable]
  let configuration: StoreConfiguration
  let commits: CommitBroadcaster
  let suspension = StoreSuspension()
  /// nil for an in-memory store, which has no log.
  let checkpointer: Checkpointer?
  /// SQLite's count of changes to the tables, as of the last check that they fit the classes.
  let schemaCookie = Lock<Int64?>(nil)
  /// Called when a connection notices that others have committed. Does nothing unless the store polls.
  let whenOthersCommit = Lock<@Sendable () -> Void>({})
  /// Whether the store polls for commits of other processes.
  var isPolling: Bool { configuration.pollInterval != nil }

  private struct State {
    var isClosed = false
    /// Indexed by class.
    var spareIDs: [[Range<Int64>]]
    /// Indexed by class. Ids below these are not handed out again, even if a context returns some of them.
    var lowestIDs: [Int64]
  }

  private let state: Lock<State>

  init(_ location: StoreLocation, _ schema: Schema, _ configuration: StoreConfiguration) {
    place = StorePlace(location)
    self.schema = schema
    searchTables = configuration.isReadOnly ? [] : schema.searchTables
    var suspendable = configuration
    suspendable.suspension = suspension
    self.configuration = suspendable
    commits = CommitBroadcaster(schema)
    checkpointer = place.isURI || configuration.isReadOnly ? nil : Checkpointer(place, suspendable)
    let count = schema.entities.count
    state = Lock(State(spareIDs: Array(repeating: [], count: count), lowestIDs: Array(repeating: 1, count: count)))
  }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Prevents new connections.
  func close() { state.withLock { $0.isClosed = true } }

  /// - Parameter reportsCommits: Whether to report the connection's commits to the checkpointer.
  func connect(reportsCommits: Bool = true) throws(PersistenceError) -> Connection {
    if isClosed { throw .closed }
    do {
      let connection = try Connection(place, configuration)
      try StoreFile.setAttributes(of: place, configuration)
      if reportsCommits, let checkpointer { connection.tell(checkpointer) }
      return connection
    } catch {
      throw StoreFile.openFailure(error, place)
    }
  }

  func takeBack(_ ranges: [(entity: Int, ids: Range<Int64>)]) {
    guard !ranges.isEmpty else { return }
    state.withLock { state in
      for (entity, ids) in ranges where state.spareIDs[entity].count < 64 {
        let rest = ids.clamped(to: state.lowestIDs[entity]..<Int64.max)
        if !rest.isEmpty { state.spareIDs[entity].append(rest) }
      }
    }
  }

  /// Excludes ids that others have used, up to and including `last`.
  func withholdIDs(of entity: Int, upTo last: Int64) {
    state.withLock { state in
      guard last >= state.lowestIDs[entity] else { return }
      state.lowestIDs[entity] = last + 1
      let spare = state.spareIDs[entity].map { $0.clamped(to: last + 1..<Int64.max) }
      state.spareIDs[entity] = spare.filter { !$0.isEmpty }
    }
  }

  /// Returns at least `count` ids that a context has returned unused, none of them below `lowest`. Nil if there are
  /// none.
  func spareIDs(for entity: Int, atLeast count: Int64, from lowest: Int64) -> Range<Int64>? {
    state.withLock { state in
      let fits = { (ids: Range<Int64>) in ids.upperBound - max(ids.lowerBound, lowest) >= count }
      guard let index = state.spareIDs[entity].lastIndex(where: fits) else { return nil }
      return state.spareIDs[entity].remove(at: index).clamped(to: lowest..<Int64.max)
    }
  }
}
