public import Foundation

extension PersistentContainer {
  /// Renames a store's file, its log and the log's index, without moving them to another folder. A file named
  /// `store.db` is renamed to `store.db.corrupt-1`, or to the name with the next available number. No existing file is
  /// overwritten. The three files stay together even if the process is killed during the renaming, except on a file
  /// system without hard links, where the files are renamed one after another.
  ///
  /// - Returns: The new location of the store's file.
  public static func quarantine(_ url: URL) async throws(PersistenceError) -> URL {
    try await offThread { () throws(PersistenceError) in try StoreQuarantine.move(url) }
  }

  /// Copies the readable data of a corrupt store into a new store. The files of the corrupt store are not changed, and
  /// must not be in use.
  ///
  /// Objects that were stored on corrupt pages are omitted. All other objects keep their ids. SQLite has no checksums
  /// that would reveal a changed value, so a corrupt value is copied unchanged if it still has the type of its
  /// attribute.
  ///
  /// - Parameters:
  ///   - source: The URL of the corrupt file.
  ///   - target: The URL of the store to create. The file appears there only when it is complete.
  ///   - schema: The schema that determines the structure of the tables if the store's own description of its tables
  ///     cannot be read.
  /// - Throws: ``PersistenceError/cannotOpen(_:)`` if the source does not exist, the target already exists, or the
  ///   target cannot be written; ``PersistenceError/invalidSchema(_:)`` if the classes contradict each other.
  @discardableResult
  public static func salvage(
    _ source: URL, to target: URL, schema: Schema
  ) async throws(PersistenceError) -> SalvageReport {
    try await offThread { () throws(PersistenceError) in try StoreSalvage(source, target, schema).run() }
  }

  /// Removes a store's file, its log and the log's index. Before you call this method, close all containers that use
  /// the store.
  ///
  /// - Throws: ``PersistenceError/cannotOpen(_:)`` with ``OpenFailure/Reason-swift.enum/busy`` if this process or
  ///   another process is using the store. If this error is thrown, the store is unchanged.
  public static func destroy(at url: URL) async throws(PersistenceError) {
    try await offThread { () throws(PersistenceError) in try StoreFile.destroy(url) }
  }

  /// Checks the whole store for corruption and for values that cannot be read. You can call this method while the store
  /// is in use. The check reads the entire store, looks up every row in every index, and decodes every value. For a
  /// store of half a gigabyte with two indexes, SQLite's part of the check took 24 seconds on the machine that
  /// `Docs/Performance.md` describes. Other connections can read and write during the check, but writers must wait
  /// while a full-text index is checked.
  ///
  /// To check a full-text index, the check waits for other writers, but not longer than
  /// ``StoreConfiguration/busyTimeout``. If this timeout expires, the check skips part of the full-text indexes and
  /// lists the affected classes in ``IntegrityReport/unchecked``.
  public func integrityCheck() async throws(PersistenceError) -> IntegrityReport {
    let store = store
    return try await offThread { () throws(PersistenceError) in try StoreMaintenance(store.access).check() }
  }

  /// Rebuilds the full-text indexes of all searchable attributes, and recalculates all folded strings and all indexed
  /// properties of queryable values. The whole rebuild runs in one transaction.
  ///
  /// A rebuild is needed only if an operating system update has changed how strings are folded, or if
  /// ``integrityCheck()`` reports a mismatch. A rebuild takes about as long as inserting the objects did. During the
  /// rebuild, other connections can read the store, but must wait before they can write to it.
  public func rebuildSearchIndexes() async throws(PersistenceError) {
    let store = store
    try await offThread { () throws(PersistenceError) in try StoreMaintenance(store.access).rebuildSearchIndexes() }
  }

  /// Rewrites the store without the free space left behind by deleted objects, removes the words of deleted objects
  /// from the full-text indexes, and empties the log. While this method runs, other connections can read the store, but
  /// must wait before they can write to it. The disk needs enough free space for two more copies of the store.
  ///
  /// If another connection reads for longer than ``StoreConfiguration/busyTimeout``, the log is emptied later, but the
  /// result is the same.
  ///
  /// - Returns: The size of the store's file in bytes, before and after compacting.
  @discardableResult
  public func compact() async throws(PersistenceError) -> (before: Int, after: Int) {
    let store = store
    return try await offThread { () throws(PersistenceError) in try StoreMaintenance(store.access).compact() }
  }
}
