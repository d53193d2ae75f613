internal import Foundation

/// The journal's file: entries are appended, and the whole is written anew when most of it is outdated.
///
/// Appending only hands bytes to the system, which is all that a killed process needs. Bringing them to the disk takes
/// thousands of times as long and is done beside it: ``beginSync(_:)`` and ``end(_:of:)`` come before and after.
struct Journal {
  /// What was found on opening.
  struct Opening {
    var state: JournalState
    var damagedBytes: Int
  }

  /// What waits for the disk while entries are appended.
  enum Sync {
    case file(DiskFile)
    case renewal(path: String, [UInt8])

    func perform() throws(DownloadFailure) -> DiskFile {
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
  /// Whether entries may not be on the disk, or not in the file.
  private(set) var isDirty = false
  /// Entries that go into the next frame.
  private var noted: [JournalEntry] = []
  /// What has been appended since the state was taken from which the file is being written anew.
  private var sinceRenewal: [UInt8]?

  private static func renewed(_ path: String) -> String { path + ".new" }

  /// Opens the journal, or makes an empty one.
  ///
  /// A torn tail is dropped. Where something else is damaged, a copy is kept beside it, and what is whole counts.
  static func open(_ path: String, newJournal: UInt64) throws(DownloadError) -> (Journal, Opening) {
    let bytes = try DownloadError.asStorage { () throws(DownloadFailure) in
      try DiskFolder.remove(renewed(path))
      let old = try DiskFile(path)
      return [UInt8](try old.read(Int(clamping: try old.length), at: 0))
    }
    var reading = JournalFrames.read(bytes)
    guard reading.state.version <= JournalState.version else { throw .newerJournal(version: reading.state.version) }
    var isWhole = reading.damagedBytes == 0 && reading.tornBytes == 0 && bytes.count <= Self.smallest
    if reading.state.journal == 0 {
      // Numbers could be given a second time without another name for the journal.
      reading.state.apply(.origin(journal: max(1, newJournal), version: JournalState.version))
      reading.damagedBytes += reading.tornBytes
      isWhole = false
    }
    let journal = try DownloadError.asStorage { () throws(DownloadFailure) in
      if reading.damagedBytes > 0 {
        let copy = try DiskFile(path + ".damaged", makesEmpty: true)
        try copy.write(bytes, at: 0)
      }
      return try Journal(path, reading.state, wholeLength: isWhole ? Int64(bytes.count) : nil)
    }
    return (journal, Opening(state: reading.state, damagedBytes: reading.damagedBytes))
  }

  /// - Parameter wholeLength: The length of the file if it can be gone on with as it is.
  private init(_ path: String, _ state: JournalState, wholeLength: Int64?) throws(DownloadFailure) {
    self.path = path
    if let wholeLength {
      (file, length) = (try DiskFile(path, appends: true), wholeLength)
      // What the program before wrote last may not have reached the disk.
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

  /// Entries that go with the next ones: until then the journal says the same in other words.
  mutating func note(_ entries: [JournalEntry]) {
    noted += entries
    isDirty = true
  }

  /// Writes the entries, and those noted before, as one frame.
  ///
  /// - Throws: what the disk says; the entries then go with the next ones.
  mutating func append(_ entries: [JournalEntry]) throws(DownloadFailure) {
    noted += entries
    guard !noted.isEmpty else { return }
    let frame = JournalFrames.frame(noted)
    do throws(DownloadFailure) {
      try file.append(frame)
    } catch {
      do throws(DownloadFailure) {
        try file.truncate(to: length)
      } catch {
        // A piece of a frame stays in between, and is passed over when the journal is read.
      }
      throw error
    }
    noted.removeAll(keepingCapacity: true)
    length += Int64(frame.count)
    sinceRenewal? += frame
    isDirty = true
  }

  /// What has to be performed to bring all entries to the disk, without the journal at hand; nil when they are there.
  ///
  /// ``end(_:of:)`` follows. One at a time.
  mutating func beginSync(_ state: JournalState) throws(DownloadFailure) -> Sync? {
    try append([])
    guard length <= max(Self.smallest, lengthWhenNew * 4) else {
      sinceRenewal = []
      return .renewal(path: Self.renewed(path), JournalFrames.frames(of: state))
    }
    guard isDirty else { return nil }
    isDirty = false
    return .file(file)
  }

  /// - Parameter synced: The file that was synced; nil if the disk refused, and all stays as it was.
  /// - Returns: The folder that has to be synced too, if any.
  mutating func end(_ sync: Sync, of synced: DiskFile?) throws(DownloadFailure) -> String? {
    let since = sinceRenewal ?? []
    sinceRenewal = nil
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
