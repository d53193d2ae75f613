internal import Foundation

/// A stream written to a temporary file before it is sent, because URLSession on Linux reads request streams on the one
/// queue that all of its sessions share: a slow source would stop every transfer of the process.
final class SpooledBody: Sendable {
  let file: URL

  /// - Parameter length: How many bytes there must be, if that was said.
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
