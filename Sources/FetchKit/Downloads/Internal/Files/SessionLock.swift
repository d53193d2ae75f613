internal import Foundation

/// Keeps a session's files to one holder. The lock is the kernel's and ends with the process; the file's text only
/// names who has it.
struct SessionLock: Sendable {
  private let file: Lock<DiskFile?>

  init(_ path: String) throws(DownloadError) {
    let file = try DownloadError.asStorage { () throws(DownloadFailure) in try DiskFile(path) }
    guard file.lock() else {
      let text = try DownloadError.asStorage { () throws(DownloadFailure) in
        String(decoding: try file.read(256, at: 0), as: UTF8.self)
      }
      throw .inUse(holder: text.isEmpty ? "an unknown process" : text)
    }
    try DownloadError.asStorage { () throws(DownloadFailure) in
      try file.truncate(to: 0)
      try file.write(Data("process \(getpid())".utf8), at: 0)
    }
    self.file = Lock(file)
  }

  func release() {
    file.withLock { $0 = nil }
  }
}

extension DownloadError {
  /// Turns an error of the session's own files into one of the session.
  static func asStorage<Result>(
    _ body: () throws(DownloadFailure) -> Result
  ) throws(DownloadError) -> Result {
    do {
      return try body()
    } catch {
      throw .storage(error)
    }
  }
}
