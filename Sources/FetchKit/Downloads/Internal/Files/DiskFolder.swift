internal import Foundation

/// What is done with files by their paths.
enum DiskFolder {
  static func make(_ path: String) throws(DownloadFailure) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw DownloadFailure(code: Self.code(of: error), operation: "mkdir", path: path)
    }
  }

  /// Puts a file in the place of another, at once.
  static func rename(_ from: String, to: String) throws(DownloadFailure) {
    try DiskFile.check("rename", to) { Foundation.rename(from, to) }
  }

  /// Removes a file; one that is not there is no error.
  static func remove(_ path: String) throws(DownloadFailure) {
    do throws(DownloadFailure) {
      try DiskFile.check("unlink", path) { unlink(path) }
    } catch .disk(_, ENOENT) {
      return
    }
  }

  /// Removes what nobody needs; where that is refused, the next session does it.
  static func removeIfPossible(_ path: String) {
    unlink(path)
  }

  /// Returns when the names in the folder are on the disk.
  static func sync(_ path: String) throws(DownloadFailure) {
    let descriptor = try DiskFile.check("open", path) { open(path, O_RDONLY | O_CLOEXEC) }
    defer { close(descriptor) }
    try DiskFile.check("fsync", path) { fsync(descriptor) }
  }

  /// Returns when the bytes of the file are on the disk; one that has been taken away is no error.
  static func syncFile(_ path: String, inode: UInt64) throws(DownloadFailure) {
    guard status(path)?.inode == inode else { return }
    do throws(DownloadFailure) {
      try DiskFile(path, isMade: false).sync()
    } catch .disk(_, ENOENT) {
      return
    }
  }

  /// Whether there is something of that name.
  static func exists(_ path: String) -> Bool {
    access(path, F_OK) == 0
  }

  /// Length and inode of a file, nil where there is none.
  static func status(_ path: String) -> (length: Int64, inode: UInt64)? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return (Int64(status.st_size), UInt64(status.st_ino))
  }

  /// Which file system a folder is on.
  static func device(_ path: String) throws(DownloadFailure) -> UInt64 {
    var status = stat()
    try DiskFile.check("stat", path) { stat(path, &status) }
    return UInt64(truncatingIfNeeded: status.st_dev)
  }

  static func names(in path: String) throws(DownloadFailure) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      throw DownloadFailure(code: Self.code(of: error), operation: "readdir", path: path)
    }
  }

  private static func code(of error: any Error) -> Int32 {
    let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
    guard let cause, cause.domain == NSPOSIXErrorDomain else {
      switch (error as? CocoaError)?.code {
      case .fileWriteOutOfSpace: return ENOSPC
      case .fileWriteNoPermission, .fileReadNoPermission: return EACCES
      case .fileWriteVolumeReadOnly: return EROFS
      case .fileWriteFileExists: return EEXIST
      default: return EIO
      }
    }
    return Int32(clamping: cause.code)
  }
}
