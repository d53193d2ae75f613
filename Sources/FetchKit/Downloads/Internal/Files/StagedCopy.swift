internal import Foundation

/// The copy of a part on another volume, to be moved into place from there.
///
/// A note beside the part says where it is. It is made first, so that the next session finds the copy of a process that
/// was killed, whatever has become of its download. It is a file with the path in it: not every volume has symbolic
/// links.
struct StagedCopy {
  private static let suffix = ".copy"

  let path: String
  private let parts: String
  private let note: String

  init(of part: UInt64, in folder: String, _ files: SessionFiles, journal: String) {
    path = "\(folder)/\(Self.name(part, journal))"
    parts = files.parts
    note = "\(files.parts)/\(part)\(Self.suffix)"
  }

  /// The copy that a file among the parts tells of; nil if that is no such note, or not a whole one: then no copy has
  /// been begun.
  init?(note name: String, _ files: SessionFiles, journal: String) {
    guard name.hasSuffix(Self.suffix), let part = UInt64(name.dropLast(Self.suffix.count)) else { return nil }
    parts = files.parts
    note = "\(files.parts)/\(name)"
    guard let path = Self.path(in: note, endingIn: "/\(Self.name(part, journal))") else { return nil }
    self.path = path
  }

  /// Returns when the disk knows where the copy will be. One that an earlier attempt left elsewhere is removed.
  func announce() throws(DownloadFailure) {
    let end = "/\((path as NSString).lastPathComponent)"
    if let earlier = Self.path(in: note, endingIn: end) { DiskFolder.removeIfPossible(earlier) }
    try DiskFolder.remove(note)
    let file = try DiskFile(note, makesEmpty: true)
    try file.write(Data(path.utf8), at: 0)
    try file.sync()
    try DiskFolder.sync(parts)
  }

  /// Removes the copy, if it has not been moved; where that is refused, or its volume is not there, a later session
  /// does it.
  func removeIfPossible() {
    do throws(DownloadFailure) {
      try DiskFolder.remove(path)
      guard DiskFolder.exists((path as NSString).deletingLastPathComponent) else { return }
      try DiskFolder.remove(note)
    } catch {
      return
    }
  }

  private static func name(_ part: UInt64, _ journal: String) -> String { ".\(journal)-\(part).part" }

  /// Whatever the note says: nothing is removed that is not called like a copy of this part.
  private static func path(in note: String, endingIn end: String) -> String? {
    do throws(DownloadFailure) {
      let bytes = try DiskFile(note, isMade: false).read(Int(PATH_MAX), at: 0)
      return bytes.suffix(end.utf8.count).elementsEqual(end.utf8) ? String(bytes: bytes, encoding: .utf8) : nil
    } catch {
      return nil
    }
  }
}
