#if os(Linux)
import Foundation
import LarderTestSupport

/// Compresses data with the gzip program, so that an independent program made what the tests decompress.
enum GZip {
  static func pack(_ data: Data) throws -> Data {
    let folder = FileManager.default.temporaryDirectory.appending(path: "larder-gzip-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try data.write(to: folder.appending(path: "data"))
    try Shell.run("gzip -9 data", in: folder)
    return try Data(contentsOf: folder.appending(path: "data.gz"))
  }
}
#endif
