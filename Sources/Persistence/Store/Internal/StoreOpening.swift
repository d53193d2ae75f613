internal import Foundation

/// A store's first connection, and how it came to be open.
struct OpenedStore {
  let connection: Connection
  /// The result of migrating an older store.
  let migration: MigrationReport?
  /// The number of the last commit in the history, if the store polls.
  let position: Int64?
  /// The result of recovering a corrupt store.
  var recovery: RecoveryReport?
}

/// Opens a store: creates, checks or migrates its tables, and recovers a corrupt file as configured.
struct StoreOpening {
  let location: StoreLocation
  let place: StorePlace
  let schema: Schema
  let configuration: StoreConfiguration

  func run() throws(PersistenceError) -> OpenedStore {
    do throws(PersistenceError) {
      return try open()
    } catch {
      let recovery = try recover(from: error)
      var opened = try open()
      opened.recovery = recovery
      return opened
    }
  }

  private func open() throws(PersistenceError) -> OpenedStore {
    if configuration.isReadOnly { return try openForReading() }
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
      return OpenedStore(connection: connection, migration: migration, position: position)
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

  private func openForReading() throws(PersistenceError) -> OpenedStore {
    if place.isURI || access(place.name, F_OK) != 0 { throw StoreFile.failure(.missing, place) }
    do {
      let connection = try Connection(place, configuration)
      try StoreSetup(schema: schema, connection: connection, place: place, configuration: configuration).checkReadable()
      let position = configuration.pollInterval == nil ? nil : try HistoryLog(connection, schema).position()
      return OpenedStore(connection: connection, migration: nil, position: position)
    } catch {
      throw StoreFile.openFailure(error, place)
    }
  }

  /// Quarantines a corrupt file if the configuration permits it, and salvages it if configured.
  private func recover(from error: PersistenceError) throws(PersistenceError) -> RecoveryReport {
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
}
