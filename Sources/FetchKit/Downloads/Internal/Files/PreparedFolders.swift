internal import Foundation

/// The folders that files are moved into: made once, and known to be on the volume of the parts or not.
final class PreparedFolders: Sendable {
  private static let most = 1000
  private let parts: String
  private let known = Lock<[String: Bool]>([:])

  init(on parts: String) {
    self.parts = parts
  }

  /// Makes the folder if need be; whether a part can be renamed into it.
  func prepare(_ folder: String) throws(DownloadFailure) -> Bool {
    if let isSameVolume = known.withLock({ $0[folder] }) { return isSameVolume }
    try DiskFolder.make(folder)
    let isSameVolume = try DiskFolder.device(folder) == DiskFolder.device(parts)
    known.withLock { known in
      if known.count >= Self.most { known = [:] }
      known[folder] = isSameVolume
    }
    return isSameVolume
  }

  /// Moves a file into a prepared folder; one that somebody has removed since is made anew.
  ///
  /// - Throws: `EXDEV` where nothing can be renamed into it after all, as when a volume has been mounted there since.
  ///   One volume mounted in two places looks the same from both, and is none to rename across either. It is known from
  ///   then on.
  func rename(_ source: String, to destination: String, in folder: String) throws(DownloadFailure) {
    do throws(DownloadFailure) {
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
