import ExampleSupport
import Foundation

/// Downloaded files that could not be read or stored, saved next to the store so that the cause can be investigated.
struct Evidence: Sendable {
  /// The maximum number of files, so that a server that is broken for days does not fill the disk.
  private static let limit = 10

  private let folder: URL

  init(store: URL) {
    folder = store.deletingLastPathComponent().appending(path: "\(store.lastPathComponent).unreadable")
  }

  /// - Returns: The saved file.
  func keep(_ data: Data) throws -> URL {
    try Files.makeFolder(folder.path)
    // The names sort by time.
    let name = Date.now.ISO8601Format(
      .iso8601(timeZone: .gmt, includingFractionalSeconds: true, timeSeparator: .omitted))
    let file = folder.appending(path: "\(name).txt")
    try Files.write(data, to: file.path)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    for name in names.dropLast(Self.limit) { try FileManager.default.removeItem(at: folder.appending(path: name)) }
    return file
  }
}
