internal import Foundation

/// A migration that does not change the store: a preview, or a dry run on a copy.
struct StoreMigration {
  private let place: StorePlace
  private let schema: Schema
  private let configuration: StoreConfiguration

  init(_ url: URL, _ schema: Schema, _ configuration: StoreConfiguration) throws(PersistenceError) {
    guard schema.problems.isEmpty else { throw .invalidSchema(schema.problems) }
    place = StorePlace(.file(url))
    guard url.isFileURL else { throw StoreFile.failure(.notAFile, place) }
    self.schema = schema
    self.configuration = configuration
  }

  func preview() throws(PersistenceError) -> MigrationPreview {
    guard FileManager.default.fileExists(atPath: place.name) else {
      return MigrationPreview(
        storeVersion: nil, schemaVersion: schema.version, steps: [], size: 0, neededSpace: 0)
    }
    do {
      let connection = try Connection(place, configuration)
      try connection.beginReading()
      defer { connection.rollback() }
      let setup = StoreSetup(schema: schema, connection: connection, place: place, configuration: configuration)
      switch try setup.state() {
      case .empty:
        return MigrationPreview(
          storeVersion: nil, schemaVersion: schema.version, steps: [], size: 0, neededSpace: 0)
      case .current(let stored), .untracked(let stored), .stored(let stored):
        return try MigrationPreview(
          setup.plan(stored), schema, from: stored.version, on: connection,
          backsUp: configuration.backsUpBeforeDataLoss)
      }
    } catch {
      throw StoreFile.openFailure(error, place)
    }
  }

  func dryRun(in folder: URL) throws(PersistenceError) -> MigrationReport? {
    guard FileManager.default.fileExists(atPath: place.name) else { return nil }
    let url = folder.appending(path: ".dry-run-\(UUID().uuidString)")
    defer { for suffix in ["", "-wal", "-shm", "-journal"] { unlink(url.path + suffix) } }
    let copy = StorePlace(.file(url))
    try StoreBackup.make(of: place, configuration, at: StoreBackup.at(url))
    var settings = configuration
    settings.backsUpBeforeDataLoss = false
    settings.migratesAutomatically = true
    settings.isReadOnly = false
    do {
      let connection = try Connection(copy, settings)
      return try StoreSetup(schema: schema, connection: connection, place: copy, configuration: settings).run()
    } catch {
      throw StoreFile.openFailure(error, place)
    }
  }
}
