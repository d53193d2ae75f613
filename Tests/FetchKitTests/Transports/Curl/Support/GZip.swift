#if os(Linux)
import Foundation
import LarderTestSupport

/// The gzip program, so that an independent program made what the tests decompress, and unpacks what they compress.
enum GZip {
  static func pack(_ data: Data) throws -> Data {
    try run("gzip -9 data", on: data, named: "data", resultNamed: "data.gz")
  }

  /// Fails unless the data is whole.
  static func unpack(_ data: Data) throws -> Data {
    try run("gzip -d data.gz", on: data, named: "data.gz", resultNamed: "data")
  }

  private static func run(
    _ script: String, on data: Data, named name: String, resultNamed result: String
  ) throws -> Data {
    let folder = FileManager.default.temporaryDirectory.appending(path: "larder-gzip-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try data.write(to: folder.appending(path: name))
    try Shell.run(script, in: folder)
    return try Data(contentsOf: folder.appending(path: result))
  }
}
#endif
