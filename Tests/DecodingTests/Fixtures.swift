import Foundation

/// Conformance suites that are not part of the package: in `LARDER_FIXTURES`, or beside the package in
/// `shared/fixtures`.
enum Fixtures {
  static let root: URL = {
    if let path = ProcessInfo.processInfo.environment["LARDER_FIXTURES"] { return URL(fileURLWithPath: path) }
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return package.deletingLastPathComponent().appendingPathComponent("shared/fixtures")
  }()

  static func directory(_ name: String) -> URL? {
    let url = root.appendingPathComponent(name)
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) && isDirectory.boolValue
      ? url : nil
  }

  static func file(_ name: String) -> URL? {
    let url = root.appendingPathComponent(name)
    return FileManager.default.fileExists(atPath: url.path) ? url : nil
  }
}
