import Foundation

/// What this test was built with, found from the test's own binary, wherever the build has put it.
enum Build {
  /// The folders that the binary may lie in, and those around them: in a bundle it lies deeper. On macOS a helper runs the
  /// tests, which is told where they are.
  private static let folders: [URL] = {
    let names = [CommandLine.arguments[0], Bundle.main.executablePath].compactMap { $0 }
    let bundles = CommandLine.arguments.filter { $0.contains(".xctest") }
    var folders: [URL] = []
    for name in names + bundles {
      var folder = URL(filePath: name).resolvingSymlinksInPath().deletingLastPathComponent()
      for _ in 0..<4 where !folders.contains(folder) {
        folders.append(folder)
        folder = folder.deletingLastPathComponent()
      }
    }
    return folders
  }()

  struct Missing: Error, CustomStringConvertible {
    let description: String
  }

  /// A file or folder of the build.
  static func product(_ name: String) throws -> URL {
    for folder in folders {
      let file = folder.appending(path: name)
      if FileManager.default.fileExists(atPath: file.path) { return file }
    }
    throw Missing(description: "expected \(name) in one of \(folders.map(\.path).joined(separator: ", "))")
  }

  static let packageRoot = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}
