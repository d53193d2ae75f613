internal import Foundation

/// The journal's file: entries are appended, and the whole is written anew when most of it is outdated.
struct Journal {
  /// What was found on opening.
  struct Opening {
    var state: JournalState
    var damagedBytes: Int
  }

  private static let smallest: Int64 = 64 << 10

  private let path: String
  private var file: DiskFile
  private var length: Int64
  private var lengthWhenNew: Int64
  private var isDirty = false
  /// Whether the file may lack entries, because the disk refused them.
  private(set) var isIncomplete = false

  /// Opens the journal, or makes an empty one.
  ///
  /// A torn tail is dropped. Where something else is damaged, a copy is kept beside it, and what is whole counts.
  static func open(_ path: String, newJournal: UInt64) throws(DownloadError) -> (Journal, Opening) {
    let bytes = try DownloadError.asStorage { () throws(DownloadFailure) in
      try DiskFolder.remove(path + ".new")
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
      (file, length) = try Self.write(state, path)
    }
    lengthWhenNew = length
  }

  mutating func append(_ entries: [JournalEntry], state: JournalState) throws(DownloadFailure) {
    if isIncomplete || length > max(Self.smallest, lengthWhenNew * 4) { return try renew(state) }
    let frame = JournalFrames.frame(entries)
    do throws(DownloadFailure) {
      try file.append(frame)
    } catch {
      isIncomplete = true
      throw error
    }
    length += Int64(frame.count)
    isDirty = true
  }

  /// Returns when all entries are on the disk.
  mutating func sync(_ state: JournalState) throws(DownloadFailure) {
    if isIncomplete { try renew(state) }
    guard isDirty else { return }
    try file.sync()
    isDirty = false
  }

  private mutating func renew(_ state: JournalState) throws(DownloadFailure) {
    isIncomplete = true
    (file, length) = try Self.write(state, path)
    lengthWhenNew = length
    (isIncomplete, isDirty) = (false, false)
  }

  private static func write(_ state: JournalState, _ path: String) throws(DownloadFailure) -> (DiskFile, Int64) {
    let bytes = JournalFrames.frames(of: state)
    let file = try DiskFile(path + ".new", makesEmpty: true, appends: true)
    try file.append(bytes)
    try file.sync()
    try DiskFolder.rename(path + ".new", to: path)
    try DiskFolder.sync((path as NSString).deletingLastPathComponent)
    return (file, Int64(bytes.count))
  }
}
