public import Foundation

extension PersistentContainer {
  /// Copies a consistent snapshot of the store to a new file. Contexts can read and write the store during the backup.
  /// The new file is an ordinary store, and appears in its folder only when it is complete.
  ///
  /// - Parameters:
  ///   - url: The URL of the file to create. The folder must exist.
  ///   - progress: A closure that is called with the number of copied pages and the total number of pages. It is called
  ///     on the thread that copies the store.
  /// - Throws: ``PersistenceError/cannotOpen(_:)`` with the location of the copy if the copy cannot be made. If a file
  ///   already exists at `url`, it is not overwritten, and the error's reason is
  ///   ``OpenFailure/Reason-swift.enum/exists``.
  public func backup(
    to url: URL, progress: (@Sendable (_ done: Int, _ of: Int) -> Void)? = nil
  ) async throws(PersistenceError) {
    let store = store
    try await offThread { () throws(PersistenceError) in
      guard url.isFileURL else { throw StoreFile.failure(.notAFile, StorePlace(.file(url))) }
      try StoreBackup.make(of: store.access.place, store.access.configuration, at: StoreBackup.at(url)) {
        progress?($0, $1)
      }
    }
  }
}
