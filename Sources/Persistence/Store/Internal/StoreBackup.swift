internal import Foundation

/// Creates copies of a store. A copy is either complete or absent.
enum StoreBackup {
  struct Place {
    /// The path of the unfinished copy. The next backup deletes what a killed process has left here.
    let partial: URL
    let url: URL
  }

  /// Returns an unused name for an automatic backup next to the store.
  static func beside(_ place: StorePlace, version: Int) throws(PersistenceError) -> Place {
    let store = URL(filePath: place.name)
    let folder = store.deletingLastPathComponent()
    for number in 1..<10_000 {
      let suffix = number == 1 ? "" : "-\(number)"
      let url = folder.appending(path: "\(store.lastPathComponent).v\(version)\(suffix).backup")
      if !FileManager.default.fileExists(atPath: url.path) { return at(url) }
    }
    throw StoreFile.failure(.system, place)
  }

  static func at(_ url: URL) -> Place {
    Place(partial: url.deletingLastPathComponent().appending(path: url.lastPathComponent + ".partial"), url: url)
  }

  /// Copies a snapshot of the store, which others can keep reading and writing. Throws ``OpenFailure/Reason/exists``
  /// and leaves the file unchanged if there already is one at `place`.
  static func make(
    of store: StorePlace, _ configuration: StoreConfiguration, at place: Place,
    progress: (_ done: Int, _ of: Int) -> Void = { _, _ in }
  ) throws(PersistenceError) {
    let description = StorePlace(.file(place.url))
    if FileManager.default.fileExists(atPath: place.url.path) { throw StoreFile.failure(.exists, description) }
    remove(place.partial)
    do {
      try StoreFile.prepare(.file(place.partial), StorePlace(.file(place.partial)))
      let source = try Connection(store, configuration)
      try source.copy(to: place.partial.path, vfs: configuration.vfs?.name, progress: progress)
      try publish(place)
    } catch {
      remove(place.partial)
      throw StoreFile.openFailure(error, description)
    }
  }

  /// Gives the complete copy its name atomically. Never replaces an existing file.
  static func publish(_ place: Place) throws(PersistenceError) {
    let description = StorePlace(.file(place.url))
    if link(place.partial.path, place.url.path) == 0 {
      unlink(place.partial.path)
    } else if errno == EEXIST {
      throw StoreFile.failure(.exists, description)
    } else {
      // The file system might have no hard links.
      do {
        try FileManager.default.moveItem(at: place.partial, to: place.url)
      } catch {
        throw StoreFile.failure(.system, description)
      }
    }
    StoreFile.syncFolder(of: place.url)
  }

  static func remove(_ url: URL) {
    for suffix in ["", "-wal", "-shm", "-journal"] { unlink(url.path + suffix) }
  }
}
