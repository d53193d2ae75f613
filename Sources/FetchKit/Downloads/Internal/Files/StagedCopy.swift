internal import Foundation

/// The copy of a part on the destination's volume, which is then renamed into place.
///
/// A note next to the part records the path of the copy. The note is written first, so that the next session finds the
/// copy of a killed process, regardless of the download's state. The note is a file that contains the path, because not
/// every volume supports symbolic links.
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

  /// Reads the copy's path from a file among the parts. Returns nil if the file is not a note or is incomplete; in that
  /// case no copy has been started.
  init?(note name: String, _ files: SessionFiles, journal: String) {
    guard name.hasSuffix(Self.suffix), let part = UInt64(name.dropLast(Self.suffix.count)) else { return nil }
    parts = files.parts
    note = "\(files.parts)/\(name)"
    guard let path = Self.path(in: note, endingIn: "/\(Self.name(part, journal))") else { return nil }
    self.path = path
  }

  /// Waits until the path of the copy is on disk. Removes a copy that an earlier attempt left elsewhere.
  func announce() throws(DownloadError) {
    let end = "/\((path as NSString).lastPathComponent)"
    if let earlier = Self.path(in: note, endingIn: end) { DiskFolder.removeIfPossible(earlier) }
    try DiskFolder.remove(note)
    let file = try DiskFile(note, makesEmpty: true)
    try file.write(Data(path.utf8), at: 0)
    try file.sync()
    try DiskFolder.sync(parts)
  }

  /// Removes the copy if it has not been moved. If this fails, or the volume is not mounted, a later session removes
  /// it.
  func removeIfPossible() {
    do throws(DownloadError) {
      try DiskFolder.remove(path)
      guard DiskFolder.exists((path as NSString).deletingLastPathComponent) else { return }
      try DiskFolder.remove(note)
    } catch {
      return
    }
  }

  private static func name(_ part: UInt64, _ journal: String) -> String { ".\(journal)-\(part).part" }

  /// Whatever the note says, only a file named like a copy of this part is removed.
  private static func path(in note: String, endingIn end: String) -> String? {
    do throws(DownloadError) {
      let bytes = try DiskFile(note, isMade: false).read(Int(PATH_MAX), at: 0)
      return bytes.suffix(end.utf8.count).elementsEqual(end.utf8) ? String(bytes: bytes, encoding: .utf8) : nil
    } catch {
      return nil
    }
  }
}
