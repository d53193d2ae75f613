public import Foundation

extension PersistentContainer {
  /// Predicts how opening a store with a schema would change the store. This method does not change the store, and you
  /// can call it while the store is in use.
  ///
  /// - Throws: ``PersistenceError/cannotOpen(_:)``, for example if the store cannot be converted to the schema.
  public static func previewMigration(
    at url: URL, schema: Schema, configure: (inout StoreConfiguration) -> Void = { _ in }
  ) async throws(PersistenceError) -> MigrationPreview {
    var configuration = StoreConfiguration()
    configure(&configuration)
    let settings = configuration
    return try await offThread { () throws(PersistenceError) in
      try StoreMigration(url, schema, settings).preview()
    }
  }

  /// Migrates a copy of a store and then removes the copy. The store itself is not changed, and can be in use during
  /// the dry run. Unlike a preview, a dry run executes custom steps and measures the duration of the whole migration.
  ///
  /// - Parameters:
  ///   - url: The URL of the store.
  ///   - schema: The schema to migrate to.
  ///   - folder: The folder for the copy, or nil for the store's own folder.
  ///   - configure: A closure that sets the options for opening the store.
  /// - Returns: A report of the executed steps, or nil if no migration was necessary or the store does not exist.
  /// - Throws: The errors that opening the store would throw.
  public static func dryRunMigration(
    at url: URL, schema: Schema, in folder: URL? = nil, configure: (inout StoreConfiguration) -> Void = { _ in }
  ) async throws(PersistenceError) -> MigrationReport? {
    var configuration = StoreConfiguration()
    configure(&configuration)
    let settings = configuration
    return try await offThread { () throws(PersistenceError) in
      try StoreMigration(url, schema, settings).dryRun(in: folder ?? url.deletingLastPathComponent())
    }
  }
}
