import Foundation

/// Conformance suites that are not part of the package: in `LARDER_FIXTURES`, or next to the package in
/// `shared/fixtures`.
enum Fixtures {
  static let root: URL = {
    if let path = ProcessInfo.processInfo.environment["LARDER_FIXTURES"] { return URL(filePath: path) }
    return URL(filePath: #filePath).appending(path: "../../../../../shared/fixtures").standardized
  }()

  static func file(_ name: String) -> URL? {
    let url = root.appending(path: name)
    return FileManager.default.fileExists(atPath: url.path) ? url : nil
  }
}
