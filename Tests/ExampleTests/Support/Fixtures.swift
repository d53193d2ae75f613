import Foundation

/// Recorded responses that are not part of the package: in the folder that `LARDER_FIXTURES` names.
enum Fixtures {
  static let folder: URL = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let named = ProcessInfo.processInfo.environment["LARDER_FIXTURES"] ?? "../shared/fixtures"
    return URL(filePath: named, relativeTo: URL(filePath: root.path, directoryHint: .isDirectory))
  }()

  static func has(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.appending(path: name).path)
  }
}
