internal import Foundation

/// What has been received of one file: the bytes on disk, and what the server said about them.
struct DownloadPart {
  private static let hashedAtATime = 1 << 20

  private(set) var number: UInt64
  private(set) var received: Int64
  private(set) var synced: Int64
  private(set) var total: Int64?
  private(set) var validator: Validator?
  private(set) var suggestedFileName: String?
  private var hash: SHA256?
  private var hasEnded = false
  private var file: DiskFile?

  init(_ record: DownloadRecord) {
    number = record.part
    received = record.received
    synced = record.received
    total = record.total
    validator = record.validator
    suggestedFileName = record.suggestedFileName
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

  var inode: UInt64 {
    get throws(DownloadFailure) { try file?.inode ?? 0 }
  }

  /// Opens the file and drops what is beyond the synced bytes; false if it lacks some of them.
  mutating func open(_ files: SessionFiles) throws(DownloadFailure) -> Bool {
    let file = try DiskFile(files.part(number))
    self.file = file
    guard try file.length >= received else { return false }
    try file.truncate(to: received)
    var offset: Int64 = 0
    while hash != nil, offset < received {
      let piece = try file.read(Int(min(received - offset, Int64(Self.hashedAtATime))), at: offset)
      guard !piece.isEmpty else { return false }
      hash?.update(piece)
      offset += Int64(piece.count)
    }
    return true
  }

  /// Nothing received, in the file of that number.
  mutating func startOver(_ number: UInt64, _ files: SessionFiles) throws(DownloadFailure) {
    file = nil
    file = try DiskFile(files.part(number), makesEmpty: true)
    self.number = number
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
    try file?.write(bytes, at: received)
    hash?.update(bytes)
    received += Int64(bytes.count)
  }

  mutating func sync() throws(DownloadFailure) {
    try file?.sync()
    synced = received
  }

  /// The body was all there is.
  mutating func end() {
    hasEnded = true
    total = received
  }

  /// Copies the file to where a rename can put it into place.
  mutating func stage(at path: String) throws(DownloadFailure) {
    let copy = try DiskFile(path, makesEmpty: true)
    var offset: Int64 = 0
    while let piece = try file?.read(Self.hashedAtATime, at: offset), !piece.isEmpty {
      try copy.write(piece, at: offset)
      offset += Int64(piece.count)
    }
    try copy.sync()
    file = copy
  }
}
