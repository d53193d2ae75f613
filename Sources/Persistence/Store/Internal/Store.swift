internal import Foundation

/// The state that a container's contexts share: the location, the schema, and the ids that no context holds any more.
final class Store: Sendable {
  let place: StorePlace
  let schema: Schema
  /// The full-text indexes that this store updates: none if it is read-only.
  let searchTables: [SearchTable]
  let configuration: StoreConfiguration
  let commits: CommitBroadcaster
  /// The queue that notifies observers of commits.
  let commitQueue = DispatchQueue(label: "Persistence.commits")
  let reader = ResultsReader()
  let mainInbox = MainInbox()
  private let polling: Lock<StorePolling?> = Lock(nil)
  /// Whether the store polls for commits of other processes.
  var isPolling: Bool { configuration.pollInterval != nil }

  private struct State {
    /// Keeps an in-memory store alive. No one runs a statement on it after the store was opened.
    var keeper: Keeper?
    var isClosed = false
    /// Indexed by class.
    var spareIDs: [[Range<Int64>]]
    /// Indexed by class. Ids below these are not handed out again, even if a context returns some of them.
    var lowestIDs: [Int64]
  }

  private let state: Lock<State>
  /// SQLite's count of changes to the tables, as of the last check that they fit the classes.
  let schemaCookie = Lock<Int64?>(nil)
  let contexts = OpenContexts()
  let suspension = StoreSuspension()
  /// The result of migrating an older store when it was opened.
  let migration: MigrationReport?
  /// The result of recovering a corrupt store when it was opened.
  let recovery: RecoveryReport?

  /// `@unchecked Sendable`: the connection is never used again. It is only closed, by the caller that takes it from the
  /// lock.
  private struct Keeper: @unchecked Sendable {
    let connection: Connection
  }

  /// nil for an in-memory store, which has no log.
  let checkpointer: Checkpointer?

  init(_ location: StoreLocation, _ schema: Schema, _ configuration: StoreConfiguration) throws(PersistenceError) {
    place = StorePlace(location)
    self.schema = schema
    searchTables = configuration.isReadOnly ? [] : schema.searchTables
    let configuration = StoreFile.settled(configuration, for: location)
    var suspendable = configuration
    suspendable.suspension = suspension
    self.configuration = suspendable
    commits = CommitBroadcaster(schema)
    checkpointer = place.isURI || configuration.isReadOnly ? nil : Checkpointer(place, suspendable)
    guard schema.problems.isEmpty else { throw .invalidSchema(schema.problems) }
    let connection: Connection
    let position: Int64?
    var recovery: RecoveryReport?
    do throws(PersistenceError) {
      (connection, migration, position) = try Store.open(location, place, schema, configuration)
    } catch {
      recovery = try Store.recover(from: error, location, schema, configuration)
      (connection, migration, position) = try Store.open(location, place, schema, configuration)
    }
    self.recovery = recovery
    if let position { commits.followHistory(after: position) }
    if !place.isURI { suspension.watch(place.name) }
    let keeper = place.isURI ? Keeper(connection: connection) : nil
    let count = schema.entities.count
    state = Lock(
      State(
        keeper: keeper, spareIDs: Array(repeating: [], count: count), lowestIDs: Array(repeating: 1, count: count)))
    if let interval = configuration.pollInterval {
      // What others commit from now on is noticed. If it fails, the next poll repeats it.
      commitQueue.sync { try? reader.poll(self) }
      polling.withLock { $0 = StorePolling(of: self, every: interval, by: configuration.pollClock) }
    }
  }

  private static func open(
    _ location: StoreLocation, _ place: StorePlace, _ schema: Schema, _ configuration: StoreConfiguration
  ) throws(PersistenceError) -> (Connection, MigrationReport?, position: Int64?) {
    if configuration.isReadOnly { return try openForReading(place, schema, configuration) }
    if case .file(let url) = location, configuration.onCorruption == .salvage { try StoreFile.adoptSalvaged(url) }
    let isNew = try StoreFile.prepare(location, place)
    let file = NewStoreFile(place)
    var opened: Connection?
    do throws(PersistenceError) {
      let connection = try Connection(place, configuration, isNew: true)
      opened = connection
      let setup = StoreSetup(schema: schema, connection: connection, place: place, configuration: configuration)
      let migration = try setup.run()
      let history = HistoryLog(connection, schema)
      let isPolling = configuration.pollInterval != nil
      try history.apply(isPolling ? configuration.history.following : configuration.history)
      let position = isPolling ? try history.position() : nil
      try StoreFile.setAttributes(of: place, configuration)
      if let file, !file.isInPlace { throw StoreFile.failure(.busy, place) }
      return (connection, migration, position)
    } catch {
      let failure = StoreFile.openFailure(error, place)
      // The process that keeps the file busy may create a store in it. If the file were removed, that store's log would
      // be mistaken for the next store's.
      let isBusy = if case .cannotOpen(let failure) = failure { failure.reason == .busy } else { false }
      let size = isNew && !isBusy ? file?.emptySize(opened) : nil
      opened?.close()
      if let size { file?.remove(ifOf: size) }
      throw failure
    }
  }

  private static func openForReading(
    _ place: StorePlace, _ schema: Schema, _ configuration: StoreConfiguration
  ) throws(PersistenceError) -> (Connection, MigrationReport?, position: Int64?) {
    if place.isURI || access(place.name, F_OK) != 0 { throw StoreFile.failure(.missing, place) }
    do {
      let connection = try Connection(place, configuration)
      try StoreSetup(schema: schema, connection: connection, place: place, configuration: configuration).checkReadable()
      let position = configuration.pollInterval == nil ? nil : try HistoryLog(connection, schema).position()
      return (connection, nil, position)
    } catch {
      throw StoreFile.openFailure(error, place)
    }
  }

  /// Quarantines a corrupt file if the configuration permits it, and salvages it if configured.
  private static func recover(
    from error: PersistenceError, _ location: StoreLocation, _ schema: Schema, _ configuration: StoreConfiguration
  ) throws(PersistenceError) -> RecoveryReport {
    guard case .cannotOpen(let failure) = error, case .file(let url) = location, configuration.onCorruption != .refuse,
      !configuration.isReadOnly,
      [.corrupt, .truncated, .orphanedLog, .notADatabase].contains(failure.reason)
    else { throw error }
    // The readable contents are saved before the file loses its name. Whatever fails, the store never looks new and
    // empty.
    var salvage: SalvageReport?
    if configuration.onCorruption == .salvage {
      let salvaged = StoreFile.salvaged(url)
      StoreBackup.remove(salvaged)
      salvage = try StoreSalvage(url, salvaged, schema).run()
    }
    let quarantined = try StoreQuarantine.move(url)
    if salvage != nil { try StoreFile.adoptSalvaged(url) }
    return RecoveryReport(reason: failure.reason, quarantined: quarantined, salvage: salvage)
  }

  /// - Parameter isTold: Whether to report the connection's commits to the checkpointer.
  func connect(isTold: Bool = true) throws(PersistenceError) -> Connection {
    if state.withLock({ $0.isClosed }) { throw .closed }
    do {
      let connection = try Connection(place, configuration)
      try StoreFile.setAttributes(of: place, configuration)
      if isTold, let checkpointer { connection.tell(checkpointer) }
      return connection
    } catch {
      throw StoreFile.openFailure(error, place)
    }
  }

  /// Prevents new connections, and ends the sequences of commits after the last commit. An in-memory store is
  /// discarded.
  func close() async {
    let keeper = state.withLock { state in
      state.isClosed = true
      defer { state.keeper = nil }
      return state.keeper
    }
    // It ends outside the lock because it calls a clock supplied by the user.
    let ended = polling.withLock { polling in
      defer { polling = nil }
      return polling
    }
    withExtendedLifetime(ended) {}
    await withCheckedContinuation { continuation in
      commitQueue.async { [reader, commits] in
        reader.close()
        commits.end()
        continuation.resume()
      }
    }
    await checkpointer?.settled()
    keeper?.connection.close()
  }

  /// Checks whether others have committed, and notifies the observers.
  ///
  /// - Parameter completion: Called when the check is done.
  func poll(_ completion: @escaping @Sendable () -> Void = {}) {
    commitQueue.async {
      do {
        if !self.suspension.isRefusing, !self.state.withLock({ $0.isClosed }) { try self.reader.poll(self) }
      } catch {
        // The next poll tries again. A fetch in the meantime throws the error.
      }
      completion()
    }
  }

  /// Closes the connection of live results, after the commits made so far are reported.
  func disconnectReader() async {
    await withCheckedContinuation { continuation in
      commitQueue.async { [reader] in
        reader.close()
        continuation.resume()
      }
    }
  }

  /// Reports to contexts, sequences of commits and live results what others committed during a suspension. Other
  /// programs may have written without a history, so anything may have changed.
  func catchUp() async {
    if isPolling { await withCheckedContinuation { continuation in poll { continuation.resume() } } }
    commits.publishUnknown()
  }

  /// On the main actor, waits until its objects and controllers have taken on all commits so far: call this before
  /// anything there learns of a commit. Elsewhere it returns immediately.
  func settleMain(_ isolation: isolated (any Actor)? = #isolation) async {
    guard isolation === MainActor.shared else { return }
    await withCheckedContinuation { continuation in
      commitQueue.async { [self] in
        // A commit that is being published has reached all observers when its lock is free.
        _ = commits.count
        commitQueue.async { continuation.resume() }
      }
    }
    await mainInbox.work()
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
