internal import Foundation

/// A stream written to a temporary file before it is sent, because URLSession on Linux reads request streams on the one
/// queue that all of its sessions share: a slow source would stop every transfer of the process.
final class SpooledBody: Sendable {
  let file: URL

  init(reading read: RequestBody.Reader) async throws {
    file = FileManager.default.temporaryDirectory.appending(path: "fetchkit-body-\(UUID().uuidString)")
    do {
      try Data().write(to: file, options: .withoutOverwriting)
      let handle = try FileHandle(forWritingTo: file)
      defer { try? handle.close() }
      while let chunk = try await read() {
        try Task.checkCancellation()
        try handle.write(contentsOf: chunk)
      }
    } catch {
      try? FileManager.default.removeItem(at: file)
      throw error
    }
  }

  deinit {
    try? FileManager.default.removeItem(at: file)
  }
}
