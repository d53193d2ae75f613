public import Foundation

extension PersistentContainer {
  /// Renames a store's file, its log and its index to `store.db.corrupt-1`, or to the name with the next available
  /// number, in the same folder. No file is overwritten, and the three files stay together even if the process ends in
  /// the meantime. However, on a file system without hard links, the files are renamed one after another.
  ///
  /// - Returns: The new location of the file.
  public static func quarantine(_ url: URL) async throws(PersistenceError) -> URL {
    try await offThread { () throws(PersistenceError) in try StoreQuarantine.move(url) }
  }

  /// Copies the readable data of a corrupt store into a new store. The corrupt files are not changed and must not be in
  /// use.
  ///
  /// Objects on corrupt pages are omitted. All other objects keep their ids. Because SQLite has no checksums, a value
  /// whose bytes were changed in place is copied as it is if it still has its attribute's type.
  ///
  /// - Parameters:
  ///   - source: The corrupt file.
  ///   - target: The store to create. Its file appears only when it is complete.
  ///   - schema: The structure to assume for the store's tables if the store's own description of them cannot be read.
  /// - Throws: ``PersistenceError/cannotOpen(_:)`` if the source does not exist, the target already exists, or the
  ///   target cannot be written; ``PersistenceError/invalidSchema(_:)`` if the classes contradict each other.
  @discardableResult
  public static func salvage(
    _ source: URL, to target: URL, schema: Schema
  ) async throws(PersistenceError) -> SalvageReport {
    try await offThread { () throws(PersistenceError) in try StoreSalvage(source, target, schema).run() }
  }

  /// Removes a store, its log and its index. Before calling this method, close everything that uses the store.
  ///
  /// - Throws: ``PersistenceError/cannotOpen(_:)`` with ``OpenFailure/Reason-swift.enum/busy`` if this process or
  ///   another process is using the store. The store is then unchanged.
  public static func destroy(at url: URL) async throws(PersistenceError) {
    try await offThread { () throws(PersistenceError) in try StoreFile.destroy(url) }
  }

  /// Checks the whole store for corruption. The store may be in use. The check reads the entire store and searches
  /// every index for every row. For a store of half a gigabyte with two indexes, this took 24 seconds on the machine of
  /// `Docs/Performance.md`. Other connections can read and write in the meantime, but writers must wait while a
  /// full-text index is checked.
  ///
  /// The check waits for other writers for at most ``StoreConfiguration/busyTimeout``. After that, it skips part of the
  /// full-text index check and lists the affected classes in ``IntegrityReport/unchecked``.
  public func integrityCheck() async throws(PersistenceError) -> IntegrityReport {
    let store = store
    return try await offThread { () throws(PersistenceError) in try StoreMaintenance(store).check() }
  }

  /// Rebuilds the full-text indexes of all searchable attributes, and everything that is calculated from attributes:
  /// folded texts and indexed properties of values. The whole rebuild runs in one transaction.
  ///
  /// A rebuild is needed only after an operating system update has changed how texts are folded, or if
  /// ``integrityCheck()`` reports a mismatch. It takes about as long as inserting the texts. Other connections can read
  /// during this time, but must wait before they can write.
  public func rebuildSearchIndexes() async throws(PersistenceError) {
    let store = store
    try await offThread { () throws(PersistenceError) in try StoreMaintenance(store).rebuildSearchIndexes() }
  }

  /// Rewrites the store without the free space left behind by deleted objects, removes the words of deleted texts from
  /// the full-text indexes, and empties the log. Other connections can read during this time, but must wait before they
  /// can write. The disk needs free space for two more copies of the store.
  ///
  /// If another connection reads for longer than ``StoreConfiguration/busyTimeout``, the log is emptied later. The
  /// delay has no other effect.
  ///
  /// - Returns: The file's size in bytes, before and after.
  @discardableResult
  public func compact() async throws(PersistenceError) -> (before: Int, after: Int) {
    let store = store
    return try await offThread { () throws(PersistenceError) in try StoreMaintenance(store).compact() }
  }
}
