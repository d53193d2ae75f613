internal import Foundation

/// Prepares the file before SQLite opens it, and interprets failures to open it.
enum StoreFile {
  /// The suffixes of the file, its log and its shared-memory index.
  static let suffixes = ["", "-wal", "-shm"]

  /// Creates the file if it is absent, with permissions for its owner only. SQLite gives the log and the index the
  /// permissions of the file. Returns true if it has created the file.
  @discardableResult
  static func prepare(_ location: StoreLocation, _ place: StorePlace) throws(PersistenceError) -> Bool {
    guard case .file(let url) = location else { return false }
    guard url.isFileURL else { throw failure(.notAFile, place) }
    var isFolder: ObjCBool = false
    let folder = url.deletingLastPathComponent().path
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
      throw failure(.missingDirectory, place)
    }
    if FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), isFolder.boolValue {
      throw failure(.notAFile, place)
    }
    guard url.path.utf8.contains(0) == false else { throw failure(.system, place) }
    if isOneByte(url.path) { throw failure(.notADatabase, place) }
    // Next to an empty file SQLite would discard a log. No store begins in that state.
    if size(url.path + "-wal") ?? 0 > 0 {
      guard let size = size(url.path) else { throw failure(.orphanedLog, place) }
      if size == 0 { throw failure(.truncated, place) }
    }
    let descriptor = open(url.path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      close(descriptor)
      return true
    } else if errno == EACCES || errno == EPERM || errno == EROFS {
      throw failure(.noPermission, place)
    } else if errno == ENOSPC {
      throw failure(.full, place)
    } else if errno != EEXIST {
      throw failure(.system, place)
    }
    return false
  }

  /// Converts an error that occurred during opening to ``PersistenceError/cannotOpen(_:)``.
  static func openFailure(_ error: PersistenceError, _ place: StorePlace) -> PersistenceError {
    switch error {
    case .busy(let cause): failure(.busy, place, cause)
    case .full(let cause): failure(.full, place, cause)
    case .readOnly: failure(.noPermission, place)
    case .corrupt(let cause): failure(cause.isNotADatabase ? .notADatabase : .corrupt, place, cause)
    case .database(let cause):
      // SQLite reports a write to a read-only file differently depending on the file.
      if cause.isNameGone {
        // The process that created the file could not create a store, and is removing the file.
        failure(.busy, place, cause)
      } else if cause.deniesAccess || (cause.isCannotOpen && access(place.name, R_OK | W_OK) != 0 && errno == EACCES) {
        failure(.noPermission, place, cause)
      } else if cause.isUnknownFormat {
        failure(.corrupt, place, cause)
      } else {
        failure(.system, place, cause)
      }
    default: error
    }
  }

  /// Returns nil if there is no such file. Does not open the file: closing it would release the locks that SQLite holds
  /// on it for this process.
  private static func size(_ path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  /// Whether the file has one byte. SQLite treats such a file as empty and would overwrite it.
  static func isOneByte(_ path: String) -> Bool { size(path) == 1 }

  /// Makes a new name in a folder durable. If the folder cannot be synced, the file exists all the same.
  static func syncFolder(of url: URL) {
    let descriptor = open(url.deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  static func failure(
    _ reason: OpenFailure.Reason, _ place: StorePlace, _ cause: DatabaseError? = nil
  ) -> PersistenceError {
    .cannotOpen(OpenFailure(reason: reason, place: place.description, underlying: cause))
  }
}

extension OpenFailure.Reason {
  /// Another container has migrated the store since this one has opened it.
  static let migratedElsewhere = wrongSchema(
    "another container has migrated the store: close this container and open the store again")
}
