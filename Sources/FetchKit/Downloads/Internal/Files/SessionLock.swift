internal import Foundation

/// Restricts a session's files to one holder. The lock belongs to the kernel and ends with the process; the text in the
/// file only names the holder.
struct SessionLock: Sendable {
  private let file: Lock<DiskFile?>

  init(_ path: String) throws(DownloadSessionError) {
    let file = try DownloadSessionError.asStorage { () throws(DownloadError) in try DiskFile(path) }
    guard file.lock() else {
      let text = try DownloadSessionError.asStorage { () throws(DownloadError) in
        String(decoding: try file.read(256, at: 0), as: UTF8.self)
      }
      throw .inUse(holder: text.isEmpty ? "an unknown process" : text)
    }
    try DownloadSessionError.asStorage { () throws(DownloadError) in
      try file.truncate(to: 0)
      try file.write(Data("process \(getpid())".utf8), at: 0)
    }
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
