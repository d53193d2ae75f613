internal import Foundation

/// The state of complete files that an earlier program was moving into place.
struct PlacementFindings {
  /// Downloads whose file had already been moved into place when that program ended.
  private(set) var moved: Set<UInt64> = []
  /// Downloads whose file was lost when the machine went down.
  private(set) var lost: Set<UInt64> = []

  /// - Parameter isSameBoot: Whether the machine has been running since then, so that no written bytes can be missing.
  init(_ state: JournalState, _ files: SessionFiles, isSameBoot: Bool) {
    for record in state.records.values {
      let destination = files.path(stored: record.destination)
      switch record.phase {
      case .moving(let placement):
        let (file, part) = (Self.find(destination), Self.find(files.part(record.part)))
        if file?.inode == placement.inode, file?.holds(placement, isSameBoot) == true {
          moved.insert(record.id)
        } else if part?.holds(placement, isSameBoot) != true {
          lost.insert(record.id)
        }
      case .finished(let placement) where !isSameBoot:
        // Once its event is acknowledged, the file belongs to the caller, which may have changed or removed it.
        guard state.events[placement.event] != nil else { continue }
        let isLost =
          placement.checksum == nil
          // Its bytes are on disk, so only the move can have been undone. A file on another volume can have the same
          // inode number as a part here.
          ? Self.find(files.part(record.part))?.inode == placement.inode
            && Self.find(destination)?.inode != placement.inode
          : Self.find(destination)?.holds(placement, isSameBoot) != true
        if isLost { lost.insert(record.id) }
      case .finished, .active, .paused, .failed: continue
      }
    }
  }

  private struct Found {
    var path: String
    var length: Int64
    var inode: UInt64

    func holds(_ placement: Placement, _ isSameBoot: Bool) -> Bool {
      guard length == placement.length else { return false }
      guard let checksum = placement.checksum, !isSameBoot else { return true }
      do throws(DownloadError) {
        let bytes = try DiskFile(path, isMade: false).read(Int(clamping: length), at: 0)
        return Int64(bytes.count) == length && CRC32.checksum(bytes) == checksum
      } catch {
        return false
      }
    }
  }

  private static func find(_ path: String) -> Found? {
    DiskFolder.status(path).map { Found(path: path, length: $0.length, inode: $0.inode) }
  }
}
