/// The journal's data about one download.
struct DownloadRecord: Equatable, Sendable {
  enum Phase: Equatable, Sendable {
    /// The file has yet to be downloaded, or the download is in progress.
    case active
    case paused
    /// The complete part is being moved into place.
    case moving(Placement)
    case finished(Placement)
    case failed(DownloadError)

    /// Whether the part may still grow.
    var isIncomplete: Bool {
      switch self {
      case .active, .paused, .failed: true
      case .moving, .finished: false
      }
    }
  }

  var id: UInt64
  var name: String
  var request: StoredRequest
  var priority: RequestPriority
  /// Relative to the session's directory, or absolute.
  var destination: String
  var digest: DownloadDigest?
  var phase = Phase.active
  /// The number of the file that holds the received bytes. A download that starts over gets a new number, so that no
  /// older journal entry is applied to the new bytes.
  var part: UInt64
  /// The number of bytes of the part that are synced.
  var received: Int64 = 0
  var total: Int64?
  /// Proves on resuming that the server still has the same file.
  var validator: Validator?
  var metadata = FileMetadata()

  /// Resets the record to no received bytes, in a new part.
  mutating func startOver(part: UInt64) {
    self.part = part
    received = 0
    total = nil
    validator = nil
  }
}

/// A complete file that is being moved into place, and the event that will report it.
///
/// It is written before the move, so that if the process is killed, the next session can find out whether the file is
/// in place, and deliver the event with its original token.
struct Placement: Equatable, Sendable {
  /// Distinguishes the file from another one of the same length.
  var inode: UInt64
  var length: Int64
  /// The checksum of the bytes; nil once they are known to be on disk.
  var checksum: UInt32?
  var event: UInt64
  var opening: UInt64
  var metadata = FileMetadata()
}

/// What the server said about the file, for the user.
struct FileMetadata: Equatable, Sendable {
  var suggestedFileName: String?
  var contentCoding: String?
}

/// The end of a download that has not been acknowledged yet.
struct EventRecord: Equatable, Sendable {
  enum Outcome: Equatable, Sendable {
    case finished(path: String, length: Int64, FileMetadata)
    case failed(DownloadError)
  }

  var number: UInt64
  /// A random number chosen each time the journal is opened. After a power failure, `number` can be used again for
  /// another event.
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
      outcome: .finished(path: record.destination, length: placement.length, placement.metadata))
  }
}
