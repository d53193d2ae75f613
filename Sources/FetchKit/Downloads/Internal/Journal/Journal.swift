internal import Foundation

/// The journal file. Entries are appended, and the file is rewritten when most of it is outdated.
///
/// Appending only passes bytes to the system, which is enough to survive a killed process. A sync to disk takes
/// thousands of times as long, so it runs between ``beginSync(_:)`` and ``end(_:of:)`` while entries continue to be
/// appended.
struct Journal {
  /// The part of a sync that waits for the disk while entries are appended.
  enum Sync {
    case file(DiskFile)
    case renewal(path: String, [UInt8])

    func perform() throws(DownloadError) -> DiskFile {
      switch self {
      case .file(let file):
        try file.sync()
        return file
      case .renewal(let path, let bytes):
        let file = try DiskFile(path, makesEmpty: true, appends: true)
        try file.append(bytes)
        try file.sync()
        return file
      }
    }
  }

  private static let smallest: Int64 = 1 << 20

  private let path: String
  private var file: DiskFile
  private var length: Int64
  private var lengthWhenNew: Int64
  /// Whether entries may not be on disk, or not even in the file.
  private(set) var isDirty = false
  /// Entries that go into the next frame.
  private var noted: [JournalEntry] = []
  /// Frames appended since the snapshot that the file is being rewritten from.
  private var framesSinceRenewal: [UInt8]?

  private static func renewed(_ path: String) -> String { path + ".new" }

  /// Opens the journal, or creates an empty journal if the file does not exist.
  ///
  /// If the last entries were only partially written, they are dropped. If anything else is corrupt, the intact entries
  /// are used, and a copy of the corrupt file is stored next to the journal.
  static func open(
    _ path: String, newJournal: UInt64
  ) throws(DownloadSessionError) -> (Journal, JournalFrames.Reading) {
    let bytes = try DownloadSessionError.asStorage { () throws(DownloadError) in
      try DiskFolder.remove(renewed(path))
      let old = try DiskFile(path)
      return [UInt8](try old.read(Int(clamping: try old.length), at: 0))
    }
    var reading = JournalFrames.read(bytes)
    guard reading.state.version <= JournalState.version else { throw .newerJournal(version: reading.state.version) }
    var isWhole = reading.corruptBytes == 0 && reading.tornBytes == 0 && bytes.count <= Self.smallest
    if reading.state.journal == 0 {
      // Without a new journal identifier, numbers could be assigned twice.
      reading.state.apply(.origin(journal: max(1, newJournal), version: JournalState.version))
      reading.corruptBytes += reading.tornBytes
      isWhole = false
    }
    let journal = try DownloadSessionError.asStorage { () throws(DownloadError) in
      if reading.corruptBytes > 0 {
        let copy = try DiskFile(path + ".corrupt", makesEmpty: true)
        try copy.write(bytes, at: 0)
      }
      return try Journal(path, reading.state, wholeLength: isWhole ? Int64(bytes.count) : nil)
    }
    return (journal, reading)
  }

  /// - Parameter wholeLength: The length of the file if it can be continued unchanged; nil if it has to be rewritten.
  private init(_ path: String, _ state: JournalState, wholeLength: Int64?) throws(DownloadError) {
    self.path = path
    if let wholeLength {
      (file, length) = (try DiskFile(path, appends: true), wholeLength)
      // The last entries of the previous program may not have reached the disk.
      isDirty = true
    } else {
      let bytes = JournalFrames.frames(of: state)
      file = try Sync.renewal(path: Self.renewed(path), bytes).perform()
      try DiskFolder.rename(Self.renewed(path), to: path)
      try DiskFolder.sync((path as NSString).deletingLastPathComponent)
      length = Int64(bytes.count)
    }
    lengthWhenNew = length
  }

  /// Adds entries that are written with the next ones. Until then, the journal describes an equivalent state.
  mutating func note(_ entries: [JournalEntry]) {
    noted += entries
    isDirty = true
  }

  /// Writes the entries, and any noted before, as one frame.
  ///
  /// - Throws: The disk error. The entries are then written with the next ones.
  mutating func append(_ entries: [JournalEntry]) throws(DownloadError) {
    noted += entries
    guard !noted.isEmpty else { return }
    let frame = JournalFrames.frame(noted)
    do throws(DownloadError) {
      try file.append(frame)
    } catch {
      do throws(DownloadError) {
        try file.truncate(to: length)
      } catch {
        // A partial frame remains in the file and is skipped when the journal is read.
      }
      throw error
    }
    noted.removeAll(keepingCapacity: true)
    length += Int64(frame.count)
    framesSinceRenewal? += frame
    isDirty = true
  }

  /// Returns the work that syncs all entries to disk and does not need the journal; nil if they are already on disk.
  ///
  /// ``end(_:of:)`` must follow. Only one sync can run at a time.
  mutating func beginSync(_ state: JournalState) throws(DownloadError) -> Sync? {
    try append([])
    guard length <= max(Self.smallest, lengthWhenNew * 4) else {
      framesSinceRenewal = []
      return .renewal(path: Self.renewed(path), JournalFrames.frames(of: state))
    }
    guard isDirty else { return nil }
    isDirty = false
    return .file(file)
  }

  /// - Parameter synced: The file that was synced; nil if the disk reported an error and nothing changed.
  /// - Returns: The folder that also has to be synced, if any.
  mutating func end(_ sync: Sync, of synced: DiskFile?) throws(DownloadError) -> String? {
    let since = framesSinceRenewal ?? []
    framesSinceRenewal = nil
    guard let synced else {
      isDirty = true
      return nil
    }
    guard case .renewal(let newPath, let bytes) = sync else { return nil }
    isDirty = true
    try synced.append(since)
    try DiskFolder.rename(newPath, to: path)
    file = synced
    length = Int64(bytes.count + since.count)
    lengthWhenNew = Int64(bytes.count)
    isDirty = !since.isEmpty
    return (path as NSString).deletingLastPathComponent
  }
}
