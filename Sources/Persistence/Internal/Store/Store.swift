internal import Foundation

/// What the contexts of a container share: the place, the schema, and the ids that no context holds any more.
final class Store: Sendable {
  let place: StorePlace
  let schema: Schema
  let configuration: StoreConfiguration
  let commits: CommitHub
  /// Where those who follow commits are told.
  let commitQueue = DispatchQueue(label: "Persistence.commits")
  let reader = ResultsReader()
  private let polling: Lock<StorePolling?> = Lock(nil)
  /// Whether commits of others are looked for.
  var isPolling: Bool { configuration.pollInterval != nil }

  private struct State {
    /// Keeps a store in memory alive. Nobody runs a statement on it after the store was opened.
    var keeper: Keeper?
    var isClosed = false
    /// By class.
    var spareIDs: [[Range<Int64>]]
    /// By class: ids below are given to nobody, even if a context that holds some of them gives them back.
    var lowestIDs: [Int64]
  }

  private let state: Lock<State>
  let contexts = OpenContexts()
  /// What the opening has done to an older store, and with a damaged one.
  let migration: MigrationReport?
  let recovery: RecoveryReport?

  /// `@unchecked Sendable`: the connection is never used again, only closed, by whoever takes it from the lock.
  private struct Keeper: @unchecked Sendable {
    let connection: Connection
  }

  /// nil for a store in memory, which has no log.
  let checkpointer: Checkpointer?

  init(_ location: StoreLocation, _ schema: Schema, _ configuration: StoreConfiguration) throws(PersistenceError) {
    place = StorePlace(location)
    self.schema = schema
    let configuration = StoreFile.settled(configuration, for: location)
    self.configuration = configuration
    commits = CommitHub(schema)
    checkpointer = place.isURI || configuration.isReadOnly ? nil : Checkpointer(place, configuration)
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
    let keeper = place.isURI ? Keeper(connection: connection) : nil
    let count = schema.entities.count
    state = Lock(
      State(
        keeper: keeper, spareIDs: Array(repeating: [], count: count), lowestIDs: Array(repeating: 1, count: count)))
    if let interval = configuration.pollInterval {
      polling.withLock { $0 = StorePolling(of: self, every: interval, by: configuration.pollClock) }
    }
  }

  private static func open(
    _ location: StoreLocation, _ place: StorePlace, _ schema: Schema, _ configuration: StoreConfiguration
  ) throws(PersistenceError) -> (Connection, MigrationReport?, position: Int64?) {
    if configuration.isReadOnly { return try openForReading(place, schema, configuration) }
    if case .file(let url) = location, configuration.onDamage == .salvage { try StoreFile.adoptSalvaged(url) }
    let isNew = try StoreFile.prepare(location, place)
    let file = NewStoreFile(place)
    var opened: Connection?
    do throws(PersistenceError) {
      let connection = try Connection(place, configuration)
      opened = connection
      let setup = StoreSetup(schema: schema, connection: connection, place: place, configuration: configuration)
      let migration = try setup.run()
      let history = HistoryLog(connection, schema)
      let isPolling = configuration.pollInterval != nil
      try history.apply(isPolling ? configuration.history.following : configuration.history)
      let position = isPolling ? try history.position() : nil
      if let file, !file.isInPlace { throw StoreFile.failure(.busy, place) }
      return (connection, migration, position)
    } catch {
      let failure = StoreFile.openFailure(error, place)
      // Who is busy with the file may make a store of it; without it, its log would be taken for that of the next one.
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

  /// Puts a damaged file aside, if that is wanted.
  private static func recover(
    from error: PersistenceError, _ location: StoreLocation, _ schema: Schema, _ configuration: StoreConfiguration
  ) throws(PersistenceError) -> RecoveryReport {
    guard case .cannotOpen(let failure) = error, case .file(let url) = location, configuration.onDamage != .refuse,
      !configuration.isReadOnly,
      [.corrupt, .truncated, .notADatabase].contains(failure.reason)
    else { throw error }
    // What can be read is safe before the file loses its name: whatever fails, no store seems to be new and empty.
    var salvage: SalvageReport?
    if configuration.onDamage == .salvage {
      let salvaged = StoreFile.salvaged(url)
      StoreBackup.remove(salvaged)
      salvage = try StoreSalvage(url, salvaged, schema).run()
    }
    let quarantined = try StoreQuarantine.move(url)
    if salvage != nil { try StoreFile.adoptSalvaged(url) }
    return RecoveryReport(reason: failure.reason, quarantined: quarantined, salvage: salvage)
  }

  /// - Parameter isTold: whether the checkpointer hears of the connection's commits.
  func connect(isTold: Bool = true) throws(PersistenceError) -> Connection {
    if state.withLock({ $0.isClosed }) { throw .closed }
    do {
      let connection = try Connection(place, configuration)
      if isTold, let checkpointer { connection.tell(checkpointer) }
      return connection
    } catch {
      throw StoreFile.openFailure(error, place)
    }
  }

  /// No context connects any more, and those who follow commits are told that there are no more, behind the last of
  /// them. A store in memory is gone.
  func close() async {
    let keeper = state.withLock { state in
      state.isClosed = true
      defer { state.keeper = nil }
      return state.keeper
    }
    // It ends outside of the lock: a clock of the user's hears of it.
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

  /// Looks whether others have committed, and tells of it.
  ///
  /// - Parameter completion: called when that is done.
  func poll(_ completion: @escaping @Sendable () -> Void = {}) {
    commitQueue.async {
      do {
        if !self.state.withLock({ $0.isClosed }) { try self.reader.poll(self) }
      } catch {
        // The next time it is looked again; who fetches meanwhile is told what is wrong.
      }
      completion()
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

  /// Somebody else has an id, or several, the last of which this is.
  func withholdIDs(of entity: Int, upTo last: Int64) {
    state.withLock { state in
      guard last >= state.lowestIDs[entity] else { return }
      state.lowestIDs[entity] = last + 1
      let spare = state.spareIDs[entity].map { $0.clamped(to: last + 1..<Int64.max) }
      state.spareIDs[entity] = spare.filter { !$0.isEmpty }
    }
  }

  /// Ids that somebody has left over: as many as are wanted, none of them below `lowest`.
  func spareIDs(for entity: Int, atLeast count: Int64, from lowest: Int64) -> Range<Int64>? {
    state.withLock { state in
      let fits = { (ids: Range<Int64>) in ids.upperBound - max(ids.lowerBound, lowest) >= count }
      guard let index = state.spareIDs[entity].lastIndex(where: fits) else { return nil }
      return state.spareIDs[entity].remove(at: index).clamped(to: lowest..<Int64.max)
    }
  }
}
