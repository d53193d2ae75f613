import FetchKitTesting
import Foundation
import Testing

@testable import FetchKit

@Suite struct JournalTests {
  static func record(_ id: UInt64, _ name: String, _ phase: DownloadRecord.Phase = .active) throws -> DownloadRecord {
    let request = HTTPRequest(.get, try #require(URL(string: "http://example.com/a?b=1")), headers: ["Accept": "*/*"])
    var record = DownloadRecord(
      id: id, name: name, request: StoredRequest(request, .standard), priority: .high, destination: "Files/\(name)",
      digest: DownloadDigest(bytes: [UInt8](repeating: 7, count: 32)), phase: phase, part: id + 1)
    record.received = 1 << 40
    record.total = 1 << 41
    record.validator = .entityTag("\"tag\"")
    record.metadata = FileMetadata(suggestedFileName: "ü.zip", contentCoding: "gzip")
    return record
  }

  static let failures: [DownloadError] = [
    .connection(reason: "lost"), .timeout, .status(503), .response(reason: "r"), .request(reason: "q"),
    .tooLarge(limit: 5), .wrongLength(expected: 1, received: .max), .diskFull,
    .noPermission(path: "/x"), .disk(operation: "write", code: 5), .cancelled,
  ]

  static func placement(_ event: UInt64) -> Placement {
    Placement(
      inode: .max, length: 7, checksum: event.isMultiple(of: 2) ? .max : nil, event: event, opening: 3,
      metadata: FileMetadata(contentCoding: event.isMultiple(of: 2) ? "gzip" : nil))
  }

  static func entries() throws -> [JournalEntry] {
    var bare = try record(30, "bare", .paused)
    (bare.digest, bare.total, bare.validator, bare.metadata) = (nil, nil, .lastModified("yesterday"), FileMetadata())
    let digest = try #require(DownloadDigest(bytes: [UInt8](repeating: 1, count: 32)))
    return try [
      .origin(journal: .max, version: 1), .next(5), .record(record(10, "one")),
      .record(record(20, "two", .moving(placement(21)))), .record(bare),
      .record(record(40, "done", .finished(placement(50)))),
      .received(download: 10, part: 11, bytes: 500), .removed(download: 20),
      .event(
        EventRecord(
          number: 50, opening: 3, download: 40, name: "done",
          outcome: .finished(path: "Files/done", length: 7, FileMetadata(suggestedFileName: "s")))),
      .event(
        EventRecord(
          number: 51, opening: .max, download: 41, name: "bad",
          outcome: .failed(.wrongDigest(expected: digest, found: digest)))),
      .acknowledged(event: 51), .boot("b"), .record(record(60, "small")),
      .moving(download: 60, part: 61, placement(62)), .moved(download: 60), .synced(download: 60),
    ] + failures.enumerated().map { .record(try record(UInt64(100 + $0 * 2), "f\($0)", .failed($1))) }
  }

  @Test func `every journal entry reads back as it was written`() throws {
    for entry in try Self.entries() {
      var writer = BinaryWriter()
      entry.write(to: &writer)
      var reader = BinaryReader(writer.bytes[...])
      #expect(try JournalEntry(from: &reader) == entry)
      #expect(reader.isAtEnd)
      for length in 0..<writer.bytes.count {
        var short = BinaryReader(writer.bytes[..<length])
        #expect(throws: BinaryReader.Malformed.self) { try JournalEntry(from: &short) }
      }
    }
  }

  @Test func `the bytes of a journal stay what earlier versions wrote`() throws {
    let bytes: [UInt8] = [
      0x4C, 0x44, 0x4A, 0x46, 7, 0, 0, 0, 0xE5, 0x20, 0x55, 0xBE,  // the marker, the length, the checksum
      1, 5, 3, 1, 2, 0xAC, 2,
    ]
    #expect(JournalFrames.frame([.next(5), .received(download: 1, part: 2, bytes: 300)]) == bytes)
    #expect(CRC32.checksum(Data("123456789".utf8)) == 0xCBF4_3926)
    #expect(CRC32.checksum(Data(), after: 5) == 5)
    let all = try Self.entries().flatMap { JournalFrames.frame([$0]) }
    #expect(SHA256.hexDigest(of: Data(all)) == "404c06a1b73c9ebf82aedc014b377439c3be04d72299a5ebcb264b63c0c93a77")
  }

  @Test func `a compacted journal has the same state`() throws {
    var state = JournalState()
    for entry in try Self.entries() { state.apply(entry) }
    #expect(state.records.count == 4 + Self.failures.count)
    #expect(state.records[10]?.received == 500)
    #expect(state.events.keys.sorted() == [50, 62])
    var synced = Self.placement(62)
    synced.checksum = nil
    #expect(state.records[60]?.phase == .finished(synced))
    #expect(state.records[60]?.total == 7)
    #expect(state.boot == "b")
    let reading = JournalFrames.read(JournalFrames.frames(of: state))
    #expect(reading == JournalFrames.Reading(state: state))
  }

  @Test func `from a journal truncated at any byte the whole entries are read`() throws {
    let frames = try Self.entries().map { JournalFrames.frame([$0]) }
    let bytes = frames.flatMap { $0 }
    var ends = [0]
    for frame in frames { ends.append(ends[ends.count - 1] + frame.count) }
    for length in 0...bytes.count {
      let whole = try #require(ends.lastIndex { $0 <= length })
      var expected = JournalState()
      for entry in try Self.entries().prefix(whole) { expected.apply(entry) }
      let reading = JournalFrames.read(Array(bytes[..<length]))
      #expect(reading.state == expected, "truncated at \(length)")
      #expect(reading.tornBytes == length - ends[whole])
      #expect(reading.corruptBytes == 0)
    }
  }

  @Test func `a journal with any byte corrupted loses only the frame with that byte`() throws {
    let entries = try Self.entries().prefix(8)
    let frames = entries.map { JournalFrames.frame([$0]) }
    let bytes = frames.flatMap { $0 }
    var start = 0
    for (index, frame) in frames.enumerated() {
      var expected = JournalState()
      for (other, entry) in entries.enumerated() where other != index { expected.apply(entry) }
      for offset in start..<start + frame.count {
        for change in [UInt8(0x01), 0x80, 0xFF] {
          var corrupt = bytes
          corrupt[offset] ^= change
          let reading = JournalFrames.read(corrupt)
          #expect(reading.state == expected, "byte \(offset) changed by \(change)")
          #expect(reading.corruptBytes + reading.tornBytes == frame.count)
        }
      }
      start += frame.count
    }
  }

  @Test(arguments: [nil, "s"])
  func `a file's name is written as it was before journals had content codings`(name: String?) {
    var writer = BinaryWriter()
    FileMetadata(suggestedFileName: name).write(to: &writer)
    #expect(writer.bytes == (name == nil ? [0] : [1, 1, 0x73]))
  }

  @Test func `journal entries about another part are ignored`() throws {
    var state = JournalState()
    state.apply(.record(try Self.record(10, "one")))
    state.apply(.received(download: 10, part: 12, bytes: 5))
    state.apply(.received(download: 9, part: 11, bytes: 5))
    #expect(state.records[10]?.received == 1 << 40)
    #expect(state.takeNumber() == 12)
  }

  /// A journal with one download.
  static func journal(_ scratch: Scratch) throws -> (Journal, JournalState, path: String) {
    let path = scratch.url.appending(path: "journal").path
    var (journal, opening) = try Journal.open(path, newJournal: 7)
    let record = try Self.record(1, "one")
    opening.state.apply(.record(record))
    try journal.append([.record(record)])
    return (journal, opening.state, path)
  }

  @Test func `a journal is compacted while entries arrive, and can be opened again`() throws {
    let scratch = try Scratch()
    var (journal, state, path) = try Self.journal(scratch)
    #expect(state.journal == 7)
    func receive(_ bytes: Int64) throws {
      let entry = JournalEntry.received(download: 1, part: 2, bytes: bytes)
      state.apply(entry)
      try journal.append([entry])
    }
    for bytes in 1...80_000 { try receive(Int64(bytes)) }
    let sync = try #require(try journal.beginSync(state))
    guard case .renewal = sync else {
      Issue.record("the journal is not compacted")
      return
    }
    let synced = try sync.perform()
    try receive(80_001)
    #expect(try journal.end(sync, of: synced) == scratch.url.path)
    #expect(journal.isDirty, "the last entry may not be on the disk")
    try receive(80_002)
    #expect(try Data(contentsOf: URL(filePath: path)).count < 1000)
    let again = try Journal.open(path, newJournal: 8).1
    #expect(again.state == state)
    #expect(again.corruptBytes == 0)
  }

  @Test func `a disk that refuses the compacted journal leaves the old one unchanged`() throws {
    let scratch = try Scratch()
    var (journal, state, path) = try Self.journal(scratch)
    for _ in 0..<80_000 { try journal.append([.received(download: 1, part: 2, bytes: 5)]) }
    state.apply(.received(download: 1, part: 2, bytes: 5))
    let sync = try #require(try journal.beginSync(state))
    try journal.append([.next(99)])
    state.apply(.next(99))
    #expect(try journal.end(sync, of: nil) == nil)
    #expect(journal.isDirty)
    #expect(try Journal.open(path, newJournal: 8).1.state == state)
  }

  @Test func `deferred journal notes are written with the next entries in one frame`() throws {
    let scratch = try Scratch()
    var (journal, state, path) = try Self.journal(scratch)
    let length = try Data(contentsOf: URL(filePath: path)).count
    journal.note([.next(50)])
    #expect(try Data(contentsOf: URL(filePath: path)).count == length)
    try journal.append([.removed(download: 1)])
    let added = try Data(contentsOf: URL(filePath: path)).dropFirst(length)
    #expect([UInt8](added) == JournalFrames.frame([.next(50), .removed(download: 1)]))
    state.apply(.next(50))
    state.apply(.removed(download: 1))
    journal.note([.next(60)])
    let sync = try #require(try journal.beginSync(state))
    _ = try journal.end(sync, of: sync.perform())
    #expect(!journal.isDirty)
    #expect(try journal.beginSync(state) == nil)
    #expect(try Journal.open(path, newJournal: 8).1.state.nextNumber == 60)
  }

  @Test func `a corrupt journal is kept next to the new one`() throws {
    let scratch = try Scratch()
    let path = scratch.url.appending(path: "journal").path
    let bytes = JournalFrames.frame([.origin(journal: 7, version: 1)]) + [1, 2, 3] + JournalFrames.frame([.next(9)])
    try Data(bytes).write(to: URL(filePath: path))
    let opening = try Journal.open(path, newJournal: 8).1
    #expect(opening.corruptBytes == 3)
    #expect(opening.state.journal == 7)
    #expect(opening.state.nextNumber == 9)
    #expect(try Data(contentsOf: URL(filePath: path + ".corrupt")) == Data(bytes))
    #expect(try Journal.open(path, newJournal: 8).1.corruptBytes == 0)
  }

  @Test func `a journal of a newer version is not changed`() throws {
    let scratch = try Scratch()
    let path = scratch.url.appending(path: "journal").path
    let bytes = Data(JournalFrames.frame([.origin(journal: 7, version: 2)]))
    try bytes.write(to: URL(filePath: path))
    #expect(throws: DownloadSessionError.newerJournal(version: 2)) { try Journal.open(path, newJournal: 8) }
    #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
  }

  @Test func `secrets are not written to the journal`() throws {
    let url = try #require(
      URL(string: "https://me:word@example.com/a?api_key=K3&q=1&X-Amz-Signature=S5&n=2;sid=I8&m=3;o=4#token=F6"))
    let request = HTTPRequest(
      .get, url,
      headers: [
        "Authorization": "Bearer T7", "Accept": "a/b", "cookie": "C9", "Referer": "https://example.com/?token=R4",
      ])
    let stored = StoredRequest(request, .standard)
    #expect(stored.url.absoluteString == "https://example.com/a?q=1&m=3;o=4")
    #expect(stored.headers == ["Accept": "a/b"])
    // A fragment in a Referer is not a secret, but it is not stored either.
    let page = HTTPRequest(.get, url, headers: ["Referer": "https://example.com/a#top"])
    #expect(StoredRequest(page, .standard).headers == ["Referer": "https://example.com/a"])
    #expect(!StoredRequest(page, .standard).removedSecrets.contains("Referer"))
    #expect(
      Set(stored.removedSecrets) == [
        "Authorization", "cookie", "Referer", "user", "api_key", "X-Amz-Signature", "sid",
      ])
    var writer = BinaryWriter()
    stored.write(to: &writer)
    let text = String(decoding: writer.bytes, as: UTF8.self)
    for secret in ["word", "K3", "S5", "T7", "C9", "I8", "F6", "R4"] { #expect(!text.contains(secret)) }
  }
}
