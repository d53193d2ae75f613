internal import Foundation

/// The received bytes of one file on disk, and the server's description of the file.
///
/// The first bytes stay in memory, unless the file is known to be large: most files are small and are written in one
/// call when they are complete.
struct DownloadPart {
  private static let hashedAtATime = 1 << 20

  private(set) var number: UInt64
  private(set) var received: Int64
  private(set) var synced: Int64
  var total: Int64?
  var validator: Validator?
  var metadata: FileMetadata
  private let files: SessionFiles
  private let mostInMemory: Int
  private var hash: SHA256?
  private var hasEnded = false
  /// Opened when it is made or the first bytes are written.
  private var file: DiskFile?
  /// Bytes that have been received but not written; empty once there is a file.
  private var inMemory = Data()

  init(_ record: DownloadRecord, _ files: SessionFiles, mostInMemory: Int) {
    number = record.part
    received = record.received
    synced = record.received
    total = record.total
    validator = record.validator
    metadata = record.metadata
    self.files = files
    self.mostInMemory = mostInMemory
    hash = record.digest == nil ? nil : SHA256()
  }

  /// Whether there is nothing left to request from the server.
  var isComplete: Bool { hasEnded || received == total }

  /// What a request can resume from; nil if it has to request the whole file.
  var resumption: ResumeDecision.Resumption? {
    guard received > 0, let validator else { return nil }
    return ResumeDecision.Resumption(offset: received, total: total, validator: validator)
  }

  var unsynced: Int64 { received - synced }

  /// The digest of all received bytes, if one is required.
  var digest: DownloadDigest? {
    guard var hash else { return nil }
    return DownloadDigest(hex: hash.finish())
  }

  /// Opens the part file if bytes have been received, and discards all bytes that had not been synced. Returns false if
  /// the file contains fewer bytes than had been synced.
  ///
  /// - Throws: ``DownloadError/cancelled`` if the task is cancelled while the bytes are read for hashing.
  mutating func open() throws(DownloadError) -> Bool {
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

  /// Discards everything received, and continues in the file with this number.
  mutating func startOver(_ number: UInt64) {
    self.number = number
    (file, inMemory) = (nil, Data())
    (received, synced) = (0, 0)
    (total, validator, metadata) = (nil, nil, FileMetadata())
    hash = hash.map { _ in SHA256() }
    hasEnded = false
  }

  /// Makes an empty file.
  mutating func make() throws(DownloadError) { _ = try written() }

  mutating func append(_ bytes: Data) throws(DownloadError) {
    if file == nil, inMemory.count + bytes.count <= mostInMemory {
      inMemory += bytes
    } else {
      try written().write(bytes, at: received)
    }
    hash?.update(bytes)
    received += Int64(bytes.count)
  }

  mutating func sync(_ strength: DiskFile.SyncStrength = .complete) throws(DownloadError) {
    try written().sync(strength)
    synced = received
  }

  /// Marks the download as complete: the body had no announced length and has ended.
  mutating func end() {
    hasEnded = true
    total = received
  }

  /// Writes everything that is still in memory, so that the system has the complete file.
  ///
  /// - Parameter isSynced: Whether the file has to be on disk.
  /// - Returns: The inode of the file, and the checksum of bytes that may not be on disk.
  mutating func complete(isSynced: Bool) throws(DownloadError) -> (inode: UInt64, checksum: UInt32?) {
    guard file == nil, !isSynced else {
      try sync()
      return (try written().inode, nil)
    }
    let checksum = CRC32.checksum(inMemory)
    return (try written().inode, checksum)
  }

  /// Copies the file to a path from which it can be renamed into place. Returns the inode of the copy.
  ///
  /// - Throws: ``DownloadError/cancelled`` if the task is cancelled during the copy; a partial copy remains.
  mutating func stage(at path: String) throws(DownloadError) -> UInt64 {
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

  /// The file, including everything that was in memory.
  private mutating func written() throws(DownloadError) -> DiskFile {
    if let file { return file }
    let new = try DiskFile(files.part(number), makesEmpty: true)
    file = new
    let bytes = inMemory
    inMemory = Data()
    do throws(DownloadError) {
      try new.write(bytes, at: 0)
    } catch {
      // The number of bytes that the disk accepted does not matter: they are downloaded again anyway.
      (received, synced) = (0, 0)
      throw error
    }
    return new
  }
}
