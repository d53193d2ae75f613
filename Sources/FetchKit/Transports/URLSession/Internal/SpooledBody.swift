internal import Foundation

/// A stream that is written to a temporary file before it is sent. URLSession on Linux reads request streams on one
/// queue shared by all of its sessions, so a slow source would block every transfer of the process.
final class SpooledBody: Sendable {
  let file: URL

  /// - Parameter length: The required number of bytes; nil if unknown.
  init(reading read: RequestBody.Reader, length: Int64?) async throws {
    file = FileManager.default.temporaryDirectory.appending(path: "fetchkit-body-\(UUID().uuidString)")
    do {
      try Data().write(to: file, options: .withoutOverwriting)
      let handle = try FileHandle(forWritingTo: file)
      defer { try? handle.close() }
      var count: Int64 = 0
      while let chunk = try await read() {
        try Task.checkCancellation()
        count += Int64(chunk.count)
        if let length, count > length { throw RequestBodyLengthError(expected: length, actual: count) }
        try handle.write(contentsOf: chunk)
      }
      if let length, count < length { throw RequestBodyLengthError(expected: length, actual: count) }
    } catch {
      try? FileManager.default.removeItem(at: file)
      throw error
    }
  }

  deinit {
    try? FileManager.default.removeItem(at: file)
  }
}
