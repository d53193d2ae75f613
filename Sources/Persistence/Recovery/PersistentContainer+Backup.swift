public import Foundation

extension PersistentContainer {
  /// Copies the store, as it is at one moment, into a file of its own; contexts go on reading and writing meanwhile.
  /// The file is a store like any other. It is there only once it is complete.
  ///
  /// - Parameters:
  ///   - url: The file to be made, in a folder that exists.
  ///   - progress: Told how many pages are copied, and how many there are, on the thread that copies.
  /// - Throws: ``PersistenceError/cannotOpen(_:)`` with the place of the copy; the reason is
  ///   ``OpenFailure/Reason-swift.enum/exists`` if there is a file already, which is never overwritten.
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
