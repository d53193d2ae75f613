internal import Foundation

/// The copy of a part on another volume, to be moved into place from there.
///
/// A link beside the part says where it is. It is made first, so that the next session finds the copy of a process that was
/// killed, whatever has become of its download.
struct StagedCopy {
  private static let suffix = ".copy"

  let path: String
  private let parts: String
  private let link: String

  init(of part: UInt64, in folder: String, _ files: SessionFiles, journal: String) {
    path = "\(folder)/\(Self.name(part, journal))"
    parts = files.parts
    link = "\(files.parts)/\(part)\(Self.suffix)"
  }

  /// The copy that a file among the parts leads to; nil if that is no such link.
  init?(link name: String, _ files: SessionFiles, journal: String) {
    guard name.hasSuffix(Self.suffix), let part = UInt64(name.dropLast(Self.suffix.count)) else { return nil }
    parts = files.parts
    link = "\(files.parts)/\(name)"
    // Whatever the link says: nothing is removed that is not called like a copy of this part.
    guard let path = DiskFolder.target(of: link), path.hasSuffix("/\(Self.name(part, journal))") else { return nil }
    self.path = path
  }

  /// Returns when the disk knows where the copy will be.
  func announce() throws(DownloadFailure) {
    try DiskFolder.remove(link)
    try DiskFolder.link(link, to: path)
    try DiskFolder.sync(parts)
  }

  /// Removes the copy, if it has not been moved; where that is refused, the next session does it.
  func removeIfPossible() {
    do throws(DownloadFailure) {
      try DiskFolder.remove(path)
      try DiskFolder.remove(link)
    } catch {
      return
    }
  }

  private static func name(_ part: UInt64, _ journal: String) -> String { ".\(journal)-\(part).part" }
}
