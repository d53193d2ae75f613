internal import Foundation

/// The folders into which files are moved. Each is created once. The type stores whether the folder is on the volume of
/// the parts.
final class PreparedFolders: Sendable {
  private static let most = 1000
  private let parts: String
  private let known = Lock<[String: Bool]>([:])

  init(on parts: String) {
    self.parts = parts
  }

  /// Creates the folder if needed. Returns whether a part can be renamed into it.
  func prepare(_ folder: String) throws(DownloadError) -> Bool {
    if let isSameVolume = known.withLock({ $0[folder] }) { return isSameVolume }
    try DiskFolder.make(folder)
    let isSameVolume = try DiskFolder.device(folder) == DiskFolder.device(parts)
    known.withLock { known in
      if known.count >= Self.most { known = [:] }
      known[folder] = isSameVolume
    }
    return isSameVolume
  }

  /// Moves a file into a prepared folder. If the folder has been removed since then, it is created again.
  ///
  /// - Throws: `EXDEV` if nothing can be renamed into the folder after all, for example because a volume has been
  ///   mounted there since then. A volume that is mounted in two locations reports the same device in both, but does
  ///   not allow renames between them. The result is remembered.
  func rename(_ source: String, to destination: String, in folder: String) throws(DownloadError) {
    do throws(DownloadError) {
      try DiskFolder.rename(source, to: destination)
    } catch .disk(_, ENOENT) {
      known.withLock { $0[folder] = nil }
      _ = try prepare(folder)
      try DiskFolder.rename(source, to: destination)
    } catch .disk(let operation, EXDEV) {
      known.withLock { $0[folder] = false }
      throw .disk(operation: operation, code: EXDEV)
    }
  }
}
