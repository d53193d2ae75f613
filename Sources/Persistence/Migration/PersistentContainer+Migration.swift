public import Foundation

extension PersistentContainer {
  /// Says what opening a store with a schema would do to it. The store stays as it is, and may be in use.
  ///
  /// - Throws: ``PersistenceError/cannotOpen(_:)``, among other reasons because the store cannot become what the schema
  ///   wants.
  public static func forecastMigration(
    at url: URL, schema: Schema, configure: (inout StoreConfiguration) -> Void = { _ in }
  ) async throws(PersistenceError) -> MigrationForecast {
    var configuration = StoreConfiguration()
    configure(&configuration)
    let settings = configuration
    return try await offThread { () throws(PersistenceError) in
      try StoreMigration(url, schema, settings).forecast()
    }
  }

  /// Migrates a copy of a store, and removes the copy. The store stays as it is, and may be in use. The program's own
  /// steps are run, and the time that all of it took is told.
  ///
  /// - Parameters:
  ///   - url: The store.
  ///   - schema: What it would become.
  ///   - folder: Where the copy is made; nil for the store's own folder.
  ///   - configure: How the store would be opened.
  /// - Returns: What was done, or nil if there was nothing to do.
  /// - Throws: What opening the store would throw.
  public static func rehearseMigration(
    at url: URL, schema: Schema, in folder: URL? = nil, configure: (inout StoreConfiguration) -> Void = { _ in }
  ) async throws(PersistenceError) -> MigrationReport? {
    var configuration = StoreConfiguration()
    configure(&configuration)
    let settings = configuration
    return try await offThread { () throws(PersistenceError) in
      try StoreMigration(url, schema, settings).rehearse(in: folder ?? url.deletingLastPathComponent())
    }
  }
}
