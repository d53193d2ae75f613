internal import Foundation

/// The file before SQLite sees it, and what a failure to open it means.
enum StoreFile {
  /// The file, its log and its index.
  static let suffixes = ["", "-wal", "-shm"]

  /// Makes an absent file, for its owner alone: SQLite gives the log and the index the permissions of the file. True if
  /// it has made one.
  @discardableResult
  static func prepare(_ location: StoreLocation, _ place: StorePlace) throws(PersistenceError) -> Bool {
    guard case .file(let url) = location else { return false }
    guard url.isFileURL else { throw failure(.notAFile, place) }
    var isFolder: ObjCBool = false
    let folder = url.deletingLastPathComponent().path
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
      throw failure(.missingFolder, place)
    }
    if FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), isFolder.boolValue {
      throw failure(.notAFile, place)
    }
    guard url.path.utf8.contains(0) == false else { throw failure(.system, place) }
    if isOneByte(url.path) { throw failure(.notADatabase, place) }
    // Beside an empty file SQLite would throw a log away. No store begins like that.
    if size(url.path) ?? 0 == 0, size(url.path + "-wal") ?? 0 > 0 { throw failure(.truncated, place) }
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

  /// An error met while opening, told as such.
  static func openFailure(_ error: PersistenceError, _ place: StorePlace) -> PersistenceError {
    switch error {
    case .busy(let cause): failure(.busy, place, cause)
    case .full(let cause): failure(.full, place, cause)
    case .readOnly: failure(.noPermission, place)
    case .corrupt(let cause): failure(cause.isNotADatabase ? .notADatabase : .corrupt, place, cause)
    case .database(let cause):
      // How a write into a file that may only be read is told depends on which it is.
      if cause.isNameGone {
        // Whoever has made the file has failed to make a store of it, and is taking it back.
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

  /// nil if there is no such file. Nothing is opened: closing it would end the locks that SQLite holds on it for this
  /// process.
  private static func size(_ path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  /// SQLite takes a file of one byte for an empty one, and would write over it.
  static func isOneByte(_ path: String) -> Bool { size(path) == 1 }

  /// Makes a new name in a folder last. Where that cannot be done, the file is there all the same.
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
