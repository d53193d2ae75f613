internal import Foundation

/// What has been received of one file: the bytes on disk, and what the server said about them.
///
/// The first bytes stay in memory: most files are small, and are written at once when they are complete.
struct DownloadPart {
  private static let hashedAtATime = 1 << 20

  private(set) var number: UInt64
  private(set) var received: Int64
  private(set) var synced: Int64
  private(set) var total: Int64?
  private(set) var validator: Validator?
  private(set) var suggestedFileName: String?
  private let files: SessionFiles
  private let mostInMemory: Int
  private var hash: SHA256?
  private var hasEnded = false
  /// Opened with the first bytes that are written.
  private var file: DiskFile?
  /// What has been received but not written; empty when there is a file.
  private var inMemory = Data()

  init(_ record: DownloadRecord, _ files: SessionFiles, mostInMemory: Int) {
    number = record.part
    received = record.received
    synced = record.received
    total = record.total
    validator = record.validator
    suggestedFileName = record.suggestedFileName
    self.files = files
    self.mostInMemory = mostInMemory
    hash = record.digest == nil ? nil : SHA256()
  }

  /// Whether there is nothing left to ask the server for.
  var isComplete: Bool { hasEnded || received == total }

  /// What a request can go on with; nil where it has to ask for the whole.
  var resumption: ResumeDecision.Resumption? {
    guard received > 0, let validator else { return nil }
    return ResumeDecision.Resumption(offset: received, total: total, validator: validator)
  }

  var unsynced: Int64 { received - synced }

  /// The digest of all that was received, where one was asked for.
  var digest: DownloadDigest? {
    guard var hash else { return nil }
    return DownloadDigest(hex: hash.finish())
  }

  /// Opens the file, if something had been received, and drops what is beyond the synced bytes; false if it lacks some
  /// of them.
  ///
  /// - Throws: ``DownloadFailure/cancelled`` if the task is cancelled while it reads what is to be hashed.
  mutating func open() throws(DownloadFailure) -> Bool {
    guard received > 0 else { return true }
    let file = try DiskFile(files.part(number))
    self.file = file
    guard try file.length >= received else { return false }
    try file.truncate(to: received)
    var offset: Int64 = 0
    while hash != nil, offset < received {
      if Task.isCancelled { throw .cancelled }
      let piece = try file.read(Int(min(received - offset, Int64(Self.hashedAtATime))), at: offset)
      guard !piece.isEmpty else { return false }
      hash?.update(piece)
      offset += Int64(piece.count)
    }
    return true
  }

  /// Nothing received, in the file of that number.
  mutating func startOver(_ number: UInt64) {
    self.number = number
    (file, inMemory) = (nil, Data())
    (received, synced) = (0, 0)
    (total, validator, suggestedFileName) = (nil, nil, nil)
    hash = hash.map { _ in SHA256() }
    hasEnded = false
  }

  mutating func describe(total: Int64?, validator: Validator?, suggestedFileName: String?) {
    self.total = total
    self.validator = validator
    self.suggestedFileName = suggestedFileName
  }

  mutating func describe(total: Int64?) {
    self.total = total
  }

  mutating func append(_ bytes: Data) throws(DownloadFailure) {
    if file == nil, inMemory.count + bytes.count <= mostInMemory {
      inMemory += bytes
    } else {
      try written().write(bytes, at: received)
    }
    hash?.update(bytes)
    received += Int64(bytes.count)
  }

  mutating func sync() throws(DownloadFailure) {
    try written().sync()
    synced = received
  }

  /// The body was all there is.
  mutating func end() {
    hasEnded = true
    total = received
  }

  /// Sees to it that all of the complete file is at least with the system.
  ///
  /// - Parameter isSynced: Whether it has to be on the disk.
  /// - Returns: Which file it is, and the checksum of what may not be on the disk.
  mutating func complete(isSynced: Bool) throws(DownloadFailure) -> (inode: UInt64, checksum: UInt32?) {
    guard file == nil, !isSynced else {
      try sync()
      return (try written().inode, nil)
    }
    let checksum = CRC32.checksum(inMemory)
    return (try written().inode, checksum)
  }

  /// Copies the file to where a rename can put it into place; the copy's inode.
  ///
  /// - Throws: ``DownloadFailure/cancelled`` if the task is cancelled meanwhile; a piece of the copy stays.
  mutating func stage(at path: String) throws(DownloadFailure) -> UInt64 {
    let original = try written()
    let copy = try DiskFile(path, makesEmpty: true)
    var offset: Int64 = 0
    while true {
      if Task.isCancelled { throw .cancelled }
      let piece = try original.read(Self.hashedAtATime, at: offset)
      if piece.isEmpty { break }
      try copy.write(piece, at: offset)
      offset += Int64(piece.count)
    }
    try copy.sync()
    return try copy.inode
  }

  /// The file, with what was in memory.
  private mutating func written() throws(DownloadFailure) -> DiskFile {
    if let file { return file }
    let new = try DiskFile(files.part(number), makesEmpty: true)
    file = new
    let bytes = inMemory
    inMemory = Data()
    do throws(DownloadFailure) {
      try new.write(bytes, at: 0)
    } catch {
      // How much the disk took does not matter: it is less than what is fetched a second time anyway.
      (received, synced) = (0, 0)
      throw error
    }
    return new
  }
}
