internal import Foundation

/// Restricts a session's files to one holder. The lock belongs to the kernel and ends with the process; the text in the
/// file only names the holder.
struct SessionLock: Sendable {
  private let file: Lock<DiskFile?>

  init(_ path: String) throws(DownloadSessionError) {
    var holder: String?
    let file = try DownloadSessionError.asStorage { () throws(DownloadError) in
      let file = try DiskFile(path)
      if file.lock() {
        try file.truncate(to: 0)
        try file.write(Data("process \(getpid())".utf8), at: 0)
      } else {
        holder = String(decoding: try file.read(256, at: 0), as: UTF8.self)
      }
      return file
    }
    if let holder { throw .inUse(holder: holder.isEmpty ? "an unknown process" : holder) }
    self.file = Lock(file)
  }

  func release() {
    file.withLock { $0 = nil }
  }
}

extension DownloadSessionError {
  /// Converts an error of the session's own files to an error of the session.
  static func asStorage<Result>(
    _ body: () throws(DownloadError) -> Result
  ) throws(DownloadSessionError) -> Result {
    do {
      return try body()
    } catch {
      throw .storage(error)
    }
  }
}
