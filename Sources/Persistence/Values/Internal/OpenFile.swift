internal import Foundation

/// A file that is open, and the path at which it was opened.
struct OpenFile: Sendable {
  private let path: String
  private let device: dev_t
  private let number: ino_t

  /// Returns nil if there is no file at the path. Does not open the file: closing it would release the locks that
  /// SQLite holds on it for this process.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.path = path
    (device, number) = (status.st_dev, status.st_ino)
  }

  /// Whether the file is still at its path.
  var isInPlace: Bool {
    guard let current = OpenFile(path) else { return false }
    return current.device == device && current.number == number
  }
}
