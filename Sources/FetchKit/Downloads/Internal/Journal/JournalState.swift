/// One change to the state that the journal describes.
enum JournalEntry: Equatable, Sendable {
  /// The identifier of the journal and the version of its format.
  case origin(journal: UInt64, version: UInt64)
  /// All numbers below this one have been used.
  case next(UInt64)
  /// The complete record of a download.
  case record(DownloadRecord)
  /// This many bytes of a part are synced. Ignored unless the download still has that part.
  case received(download: UInt64, part: UInt64, bytes: Int64)
  case removed(download: UInt64)
  case event(EventRecord)
  case acknowledged(event: UInt64)
  /// The boot of the machine during which the following entries were written.
  case boot(String)
  /// The complete part is about to be moved into place. Ignored unless the download still has that part.
  case moving(download: UInt64, part: UInt64, Placement)
  /// The file is in place, which is an event.
  case moved(download: UInt64)
  /// The file in place is on disk.
  case synced(download: UInt64)
}

/// The result of applying the entries of a journal.
struct JournalState: Equatable, Sendable {
  static let version: UInt64 = 1

  private(set) var journal: UInt64 = 0
  private(set) var version = Self.version
  private(set) var boot = ""
  private(set) var nextNumber: UInt64 = 1
  private(set) var records: [UInt64: DownloadRecord] = [:]
  private(set) var events: [UInt64: EventRecord] = [:]

  /// The fewest entries that produce the same state.
  var entries: [JournalEntry] {
    [.origin(journal: journal, version: version), .next(nextNumber), .boot(boot)]
      + records.values.sorted { $0.id < $1.id }.map { .record($0) }
      + events.values.sorted { $0.number < $1.number }.map { .event($0) }
  }

  mutating func apply(_ entry: JournalEntry) {
    switch entry {
    case .origin(let journal, let version):
      self.journal = journal
      self.version = version
    case .next(let number): nextNumber = max(nextNumber, number)
    case .record(let record):
      use(max(record.id, record.part))
      records[record.id] = record
    case .received(let download, let part, let bytes):
      guard records[download]?.part == part else { return }
      records[download]?.received = bytes
    case .removed(let download): records[download] = nil
    case .event(let event):
      use(event.number)
      events[event.number] = event
    case .acknowledged(let event): events[event] = nil
    case .boot(let boot): self.boot = boot
    case .moving(let download, let part, let placement):
      use(placement.event)
      guard var record = records[download], record.part == part else { return }
      record.phase = .moving(placement)
      (record.received, record.total) = (placement.length, placement.length)
      record.metadata = placement.metadata
      records[download] = record
    case .moved(let download):
      guard let record = records[download], case .moving(let placement) = record.phase else { return }
      records[download]?.phase = .finished(placement)
      events[placement.event] = EventRecord(record, placement)
    case .synced(let download):
      guard let record = records[download], case .finished(var placement) = record.phase else { return }
      placement.checksum = nil
      records[download]?.phase = .finished(placement)
    }
  }

  /// Returns a number that no download, part or event has used.
  mutating func takeNumber() -> UInt64 {
    defer { use(nextNumber) }
    return nextNumber
  }

  private mutating func use(_ number: UInt64) {
    // Only a corrupt or forged entry can contain such a large number. Reusing the number is better than trapping.
    if number >= nextNumber, number < .max { nextNumber = number + 1 }
  }
}
