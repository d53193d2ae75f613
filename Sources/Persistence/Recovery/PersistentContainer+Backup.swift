public import Foundation

extension PersistentContainer {
  /// Copies a consistent snapshot of the store to a new file. Contexts can read and write in the meantime. The new file
  /// is an ordinary store and appears only when it is complete.
  ///
  /// - Parameters:
  ///   - url: The file to create, in an existing folder.
  ///   - progress: A closure that is called with the number of copied pages and the total number of pages, on the
  ///     thread that copies.
  /// - Throws: ``PersistenceError/cannotOpen(_:)`` with the location of the copy. The reason is
  ///   ``OpenFailure/Reason-swift.enum/exists`` if the file already exists. An existing file is never overwritten.
  public func backup(
    to url: URL, progress: (@Sendable (_ done: Int, _ of: Int) -> Void)? = nil
  ) async throws(PersistenceError) {
    let store = store
    try await offThread { () throws(PersistenceError) in
      guard url.isFileURL else { throw StoreFile.failure(.notAFile, StorePlace(.file(url))) }
      try StoreBackup.make(of: store.place, store.configuration, at: StoreBackup.at(url)) { progress?($0, $1) }
    }
  }
}
