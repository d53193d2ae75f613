internal import Foundation

/// File system operations on paths.
enum DiskFolder {
  static func make(_ path: String) throws(DownloadError) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw DownloadError(code: POSIXErrorCode.of(error), operation: "mkdir", path: path)
    }
  }

  /// Renames a file, and atomically replaces any file at the new path.
  static func rename(_ from: String, to: String) throws(DownloadError) {
    try DiskFile.check("rename", to) { Foundation.rename(from, to) }
  }

  /// Removes a file. A missing file is not an error.
  static func remove(_ path: String) throws(DownloadError) {
    do throws(DownloadError) {
      try DiskFile.check("unlink", path) { unlink(path) }
    } catch .disk(_, ENOENT) {
      return
    }
  }

  /// Removes a file that is no longer needed. If this fails, the next session removes it.
  static func removeIfPossible(_ path: String) {
    unlink(path)
  }

  /// Waits until the names in the folder are on disk.
  static func sync(_ path: String) throws(DownloadError) {
    let descriptor = try DiskFile.check("open", path) { open(path, O_RDONLY | O_CLOEXEC) }
    defer { close(descriptor) }
    try DiskFile.check("fsync", path) { fsync(descriptor) }
  }

  /// Waits until the bytes of the file are on disk. A file that has been removed or replaced is not an error.
  static func syncFile(_ path: String, inode: UInt64) throws(DownloadError) {
    guard status(path)?.inode == inode else { return }
    do throws(DownloadError) {
      try DiskFile(path, isMade: false).sync()
    } catch .disk(_, ENOENT) {
      return
    }
  }

  /// Whether something exists at this path.
  static func exists(_ path: String) -> Bool {
    access(path, F_OK) == 0
  }

  /// The length and inode of a regular file; nil if there is none.
  static func status(_ path: String) -> (length: Int64, inode: UInt64)? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return (Int64(status.st_size), UInt64(status.st_ino))
  }

  /// The identifier of the file system that contains a folder.
  static func device(_ path: String) throws(DownloadError) -> UInt64 {
    var status = stat()
    try DiskFile.check("stat", path) { stat(path, &status) }
    return UInt64(truncatingIfNeeded: status.st_dev)
  }

  static func names(in path: String) throws(DownloadError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      throw DownloadError(code: POSIXErrorCode.of(error), operation: "readdir", path: path)
    }
  }
}
