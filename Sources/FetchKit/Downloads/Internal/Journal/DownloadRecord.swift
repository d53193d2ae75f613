/// What the journal knows about one download.
struct DownloadRecord: Equatable, Sendable {
  enum Phase: Equatable, Sendable {
    /// It is to be downloaded.
    case active
    case paused
    /// The complete part is being moved into place.
    case moving(Placement)
    case finished(Placement)
    case failed(DownloadFailure)
  }

  var id: UInt64
  var name: String
  var request: StoredRequest
  var priority: RequestPriority
  /// Relative to the session's directory, or absolute.
  var destination: String
  var digest: DownloadDigest?
  var phase = Phase.active
  /// Which file holds what was received. A download that starts over gets a new number, so that nothing an older entry
  /// says can be taken for the new bytes.
  var part: UInt64
  /// How many bytes of the part are synced.
  var received: Int64 = 0
  var total: Int64?
  /// Proves on resuming that the server still has the same file.
  var validator: Validator?
  var suggestedFileName: String?

  /// Nothing received, in another part.
  mutating func startOver(part: UInt64) {
    self.part = part
    received = 0
    total = nil
    validator = nil
  }
}

/// A complete file on its way into its place, and the event that will tell of it.
///
/// It is written before the move: who finds it after a kill can tell whether the file is in place, and tells of it with
/// the token it would have had.
struct Placement: Equatable, Sendable {
  /// Tells the file from another of the same length.
  var inode: UInt64
  var length: Int64
  /// What the bytes add up to, until they are known to be on the disk; nil from then on.
  var checksum: UInt32?
  var event: UInt64
  var opening: UInt64
  var suggestedFileName: String?
}

/// The end of a download that nobody has acknowledged yet.
struct EventRecord: Equatable, Sendable {
  enum Outcome: Equatable, Sendable {
    case finished(path: String, length: Int64, suggestedFileName: String?)
    case failed(DownloadFailure)
  }

  var number: UInt64
  /// Chosen anew whenever the journal is opened: after a power cut the same number may be given again, to another
  /// event.
  var opening: UInt64
  var download: UInt64
  var name: String
  var outcome: Outcome
}

extension EventRecord {
  /// The end of a download whose file is in place.
  init(_ record: DownloadRecord, _ placement: Placement) {
    self.init(
      number: placement.event, opening: placement.opening, download: record.id, name: record.name,
      outcome: .finished(
        path: record.destination, length: placement.length, suggestedFileName: placement.suggestedFileName))
  }
}
