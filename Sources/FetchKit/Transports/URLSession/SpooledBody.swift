internal import Foundation

/// A stream written to a temporary file before it is sent, because URLSession on Linux reads request streams on the one
/// queue that all of its sessions share: a slow source would stop every transfer of the process.
final class SpooledBody: Sendable {
  let file: URL

  /// - Parameter length: How long it was said to be: of a source that has more the beginning is taken, as it would be sent, but
  ///   a piece that goes beyond is an error, and so is less.
  init(reading read: RequestBody.Reader, length: Int64?) async throws {
    file = FileManager.default.temporaryDirectory.appending(path: "fetchkit-body-\(UUID().uuidString)")
    do {
      try Data().write(to: file, options: .withoutOverwriting)
      let handle = try FileHandle(forWritingTo: file)
      defer { try? handle.close() }
      var written: Int64 = 0
      while written != length, let chunk = try await read() {
        try Task.checkCancellation()
        written += Int64(chunk.count)
        if let length, written > length { throw RequestBodyLengthError(expected: length, actual: written) }
        try handle.write(contentsOf: chunk)
      }
      if let length, written < length { throw RequestBodyLengthError(expected: length, actual: written) }
    } catch {
      try? FileManager.default.removeItem(at: file)
      throw error
    }
  }

  deinit {
    try? FileManager.default.removeItem(at: file)
  }
}
