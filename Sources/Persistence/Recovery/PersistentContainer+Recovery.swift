public import Foundation

extension PersistentContainer {
  /// Gives a store's file, its log and its index another name in the same folder: `store.db.damaged-1`, or the next
  /// number that is free. Nothing is overwritten, and at every moment all three are there together.
  ///
  /// - Returns: Where the file is now.
  public static func quarantine(_ url: URL) async throws(PersistenceError) -> URL {
    try await offThread { () throws(PersistenceError) in try StoreQuarantine.move(url) }
  }

  /// Copies what can be read of a damaged store into a new one. The damaged files are only read, and must not be in
  /// use.
  ///
  /// Objects whose pages are damaged are left out; the others keep their ids. SQLite has no checksums: a value whose
  /// bytes were changed in place is copied as it is, if it still is one of its attribute's type.
  ///
  /// - Parameters:
  ///   - source: The damaged file.
  ///   - target: The store to be made. It is there only once it is complete.
  ///   - schema: What the store's tables are taken to be if its own description of them cannot be read.
  /// - Throws: ``PersistenceError/cannotOpen(_:)``: the source is not there, the target is, or it cannot be written.
  @discardableResult
  public static func salvage(
    _ source: URL, to target: URL, schema: Schema
  ) async throws(PersistenceError) -> SalvageReport {
    try await offThread { () throws(PersistenceError) in try StoreSalvage(source, target, schema).run() }
  }

  /// Removes a store, its log and its index. Close what uses it first.
  ///
  /// - Throws: ``PersistenceError/cannotOpen(_:)`` with ``OpenFailure/Reason-swift.enum/busy`` if it is in use, here or
  ///   by another process; it is left as it was.
  public static func destroy(at url: URL) async throws(PersistenceError) {
    try await offThread { () throws(PersistenceError) in try StoreFile.destroy(url) }
  }

  /// Looks for damage in the whole store, while it may be in use. It reads everything: seconds per gigabyte.
  public func integrityCheck() async throws(PersistenceError) -> IntegrityReport {
    let store = store
    return try await offThread { () throws(PersistenceError) in try StoreCare(store).check() }
  }

  /// Writes the store anew without the room that deleted objects have left, and empties its log. Others may read
  /// meanwhile, and wait to write. The disk needs room for two more stores.
  ///
  /// Whoever reads for longer than ``StoreConfiguration/busyTimeout`` keeps the log from being emptied. Nothing else is
  /// amiss then: the log is emptied later.
  ///
  /// - Returns: The file's size in bytes, before and after.
  @discardableResult
  public func compact() async throws(PersistenceError) -> (before: Int, after: Int) {
    let store = store
    return try await offThread { () throws(PersistenceError) in try StoreCare(store).compact() }
  }
}
