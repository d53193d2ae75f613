internal import Foundation

/// Creates copies of a store. A copy is either complete or absent.
enum StoreBackup {
  struct Destination {
    /// The path of the unfinished copy. The next backup deletes what a killed process has left here.
    let partial: URL
    let url: URL
  }

  /// Returns an unused name for an automatic backup next to the store.
  static func beside(_ filename: StoreFilename, version: Int) throws(PersistenceError) -> Destination {
    let store = URL(filePath: filename.text)
    let folder = store.deletingLastPathComponent()
    for number in 1..<10_000 {
      let suffix = number == 1 ? "" : "-\(number)"
      let url = folder.appending(path: "\(store.lastPathComponent).v\(version)\(suffix).backup")
      if !FileManager.default.fileExists(atPath: url.path) { return at(url) }
    }
    throw StoreFile.failure(.system, filename)
  }

  static func at(_ url: URL) -> Destination {
    Destination(partial: url.deletingLastPathComponent().appending(path: url.lastPathComponent + ".partial"), url: url)
  }

  /// Copies a snapshot of the store, which others can keep reading and writing. Throws ``OpenFailure/Reason/exists``
  /// and leaves the file unchanged if there already is one at `destination`.
  static func make(
    of store: StoreFilename, _ configuration: StoreConfiguration, at destination: Destination,
    progress: (_ done: Int, _ of: Int) -> Void = { _, _ in }
  ) throws(PersistenceError) {
    let description = StoreFilename(.file(destination.url))
    if FileManager.default.fileExists(atPath: destination.url.path) { throw StoreFile.failure(.exists, description) }
    remove(destination.partial)
    do {
      try StoreFile.prepare(.file(destination.partial), StoreFilename(.file(destination.partial)))
      let source = try Connection(store, configuration)
      try source.copy(to: destination.partial.path, vfs: configuration.vfs?.name, progress: progress)
      try publish(destination)
    } catch {
      remove(destination.partial)
      throw StoreFile.openFailure(error, description)
    }
  }

  /// Gives the complete copy its name atomically. Never replaces an existing file.
  static func publish(_ destination: Destination) throws(PersistenceError) {
    let description = StoreFilename(.file(destination.url))
    if link(destination.partial.path, destination.url.path) == 0 {
      unlink(destination.partial.path)
    } else if errno == EEXIST {
      throw StoreFile.failure(.exists, description)
    } else {
      // The file system might have no hard links.
      do {
        try FileManager.default.moveItem(at: destination.partial, to: destination.url)
      } catch {
        throw StoreFile.failure(.system, description)
      }
    }
    StoreFile.syncFolder(of: destination.url)
  }

  static func remove(_ url: URL) {
    for suffix in ["", "-wal", "-shm", "-journal"] { unlink(url.path + suffix) }
  }
}
