import Foundation
import Synchronization

/// A folder for one contender's files, gone when the value is released, or the process ends.
final class Workspace {
  private static let left = Mutex<Set<URL>>([])
  private static let removal: Void = {
    atexit { Workspace.left.withLock(\.self).forEach(Workspace.remove) }
  }()

  let folder: URL

  init() throws {
    Self.removal
    folder = FileManager.default.temporaryDirectory.appending(path: "larder-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    Self.left.withLock { [folder] in _ = $0.insert(folder) }
  }

  deinit {
    Self.left.withLock { [folder] in _ = $0.remove(folder) }
    Self.remove(folder)
  }

  private static func remove(_ folder: URL) {
    do { try FileManager.default.removeItem(at: folder) } catch { print("left behind: \(folder.path): \(error)") }
  }

  func path(_ name: String) -> String { folder.appending(path: name).path }
  func url(_ name: String) -> URL { folder.appending(path: name) }
}

/// A workspace that is created at first use and kept for all rounds.
final class KeptWorkspace {
  private var kept: Workspace?

  func workspace() throws -> Workspace {
    if let kept { return kept }
    let new = try Workspace()
    kept = new
    return new
  }
}
