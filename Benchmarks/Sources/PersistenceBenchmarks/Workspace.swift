import Foundation

/// A folder for one contender's files, gone when the value is released.
final class Workspace {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "larder-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    do { try FileManager.default.removeItem(at: folder) } catch { print("left behind: \(folder.path): \(error)") }
  }

  func path(_ name: String) -> String { folder.appending(path: name).path }
  func url(_ name: String) -> URL { folder.appending(path: name) }
}
