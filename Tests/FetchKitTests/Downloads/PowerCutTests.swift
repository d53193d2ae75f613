import FetchKitTesting
import Foundation
import Testing

@testable import FetchKit

/// How a session treats files that may not have survived a power cut. A copy of its folder serves as the disk.
@Suite(.timeLimit(.minutes(10))) struct PowerCutTests {
  let server: LoopbackServer
  let scratch: Scratch
  let file = RangedFile(count: 20_000)

  init() throws {
    server = try LoopbackServer()
    scratch = try Scratch()
    server.on(.get, "/file") { [file] in file.answer($0) }
  }

  var disk: URL { scratch.url.appending(path: "disk") }
  var fileOnDisk: URL { disk.appending(path: "test/Files/x") }

  func open(
    _ directory: URL, boot: String, durability: DownloadSession.Durability = .periodic
  ) throws -> DownloadSession {
    try DownloadSession(identifier: "test", directory: directory) {
      $0.boot = boot
      $0.durability = durability
      $0.syncPeriod = .seconds(3600)
    }
  }

  /// Downloads, and leaves on the disk what the system had before anything was synced; returns the event's token.
  func download() async throws -> DownloadEvent.Token {
    let session = try open(scratch.url.appending(path: "memory"), boot: "first")
    try await session.start(server.url.appending(path: "file"), named: "x")
    var events = session.events.makeAsyncIterator()
    let event = try #require(await events.next())
    #expect(try Data(contentsOf: event.result.get().url) == file.data)
    try FileManager.default.copyItem(at: scratch.url.appending(path: "memory"), to: disk)
    await session.close()
    return event.token
  }

  /// The event that the next program receives, and the total number of requests for the file.
  func next(boot: String) async throws -> (DownloadEvent, requests: Int) {
    let session = try open(disk, boot: boot)
    var events = session.events.makeAsyncIterator()
    let event = try #require(await events.next())
    event.done()
    await session.close()
    return (event, server.requests.count)
  }

  enum Corruption: CaseIterable {
    case missing, empty, changed
  }

  func inflict(_ corruption: Corruption) throws {
    switch corruption {
    case .missing: try FileManager.default.removeItem(at: fileOnDisk)
    case .empty: try Data().write(to: fileOnDisk)
    case .changed: try Data(count: file.data.count).write(to: fileOnDisk)
    }
  }

  @Test(arguments: Corruption.allCases) func `a file that a power cut lost is downloaded again`(corruption: Corruption)
    async throws
  {
    let token = try await download()
    try inflict(corruption)
    let (event, requests) = try await next(boot: "second")
    #expect(event.token != token)
    #expect(requests == 2)
    #expect(try Data(contentsOf: fileOnDisk) == file.data)
  }

  @Test func `after a kill during the check for lost files the next program checks again`() async throws {
    _ = try await download()
    try inflict(.missing)
    // No journal that mentions the lost file records the machine's new start.
    let journal = disk.appending(path: "test/journal")
    let seen = Lock<[JournalState]>([])
    let session = try DownloadSession(identifier: "test", directory: disk) {
      $0.boot = "second"
      $0.syncPeriod = .seconds(3600)
      $0.atPoint = { point in
        guard point == .afterAppend, let bytes = FileManager.default.contents(atPath: journal.path) else { return }
        seen.withLock { $0.append(JournalFrames.read([UInt8](bytes)).state) }
      }
    }
    _ = try await session.result(of: "x").get()
    await session.close()
    let states = seen.withLock { $0 }
    let first = try #require(states.first { $0.boot == "second" })
    #expect(first.events.isEmpty)
    #expect(first.records.values.allSatisfy { $0.phase == .active })
  }

  @Test func `a file that survived the power cut is reported with its token`() async throws {
    let token = try await download()
    let (event, requests) = try await next(boot: "second")
    #expect(event.token == token)
    #expect(requests == 1)
  }

  @Test(arguments: Corruption.allCases) func `a file changed while the machine ran is not checked again`(
    corruption: Corruption
  ) async throws {
    let token = try await download()
    try inflict(corruption)
    let (event, requests) = try await next(boot: "first")
    #expect(event.token == token)
    #expect(requests == 1)
  }

  @Test(arguments: [DownloadSession.Durability.periodic, .beforeEvent])
  func `once a file is synced to the disk its checksum is discarded`(durability: DownloadSession.Durability)
    async throws
  {
    let session = try open(disk, boot: "first", durability: durability)
    try await session.start(server.url.appending(path: "file"), named: "x")
    // No one waits for the hour between two syncs.
    #expect(try await session.result(of: "x").get().byteCount == 20_000)
    await session.close()
    let journal = try [UInt8](Data(contentsOf: disk.appending(path: "test/journal")))
    let record = try #require(JournalFrames.read(journal).state.records.values.first)
    guard case .finished(let placement) = record.phase else {
      Issue.record("\(record)")
      return
    }
    #expect(placement.checksum == nil)
  }

  @Test func `a part that was being moved is accepted if it is whole, wherever it is`() throws {
    let files = SessionFiles(identifier: "test", in: scratch.url)
    for folder in ["Parts", "Files"] {
      try FileManager.default.createDirectory(
        at: files.root.appending(path: folder), withIntermediateDirectories: true)
    }
    let url = try #require(URL(string: "http://example.com/a"))
    var record = DownloadRecord(
      id: 1, name: "x", request: StoredRequest(HTTPRequest(.get, url), .standard), priority: .normal,
      destination: "Files/x", part: 2)
    let part = files.part(2)
    try file.data.write(to: URL(filePath: part))
    let inode = try #require(DiskFolder.status(part)).inode
    record.phase = .moving(
      Placement(inode: inode, length: 20_000, checksum: CRC32.checksum(file.data), event: 3, opening: 1))
    var state = JournalState()
    state.apply(.record(record))
    func findings(isSameBoot: Bool) -> [Set<UInt64>] {
      let findings = PlacementFindings(state, files, isSameBoot: isSameBoot)
      return [findings.moved, findings.lost]
    }

    for isSameBoot in [false, true] { #expect(findings(isSameBoot: isSameBoot) == [[], []]) }
    // There is another file of that length in its place.
    try Data(count: 20_000).write(to: files.files.appending(path: "x"))
    for isSameBoot in [false, true] { #expect(findings(isSameBoot: isSameBoot) == [[], []]) }
    try DiskFolder.rename(part, to: files.path(stored: "Files/x"))
    for isSameBoot in [false, true] { #expect(findings(isSameBoot: isSameBoot) == [[1], []]) }
    let handle = try FileHandle(forWritingTo: files.files.appending(path: "x"))
    try handle.write(contentsOf: Data(count: 10))
    #expect(findings(isSameBoot: false) == [[], [1]])
    #expect(findings(isSameBoot: true) == [[1], []])
    try handle.truncate(atOffset: 5)
    try handle.close()
    for isSameBoot in [false, true] { #expect(findings(isSameBoot: isSameBoot) == [[], [1]]) }

    // Moved and reported, with its bytes on the disk: the caller's own changes to the file do not count, but an undone
    // move does.
    state.apply(.record(record))
    state.apply(.moved(download: 1))
    var synced = try #require(state.records[1])
    synced.phase = .finished(Placement(inode: inode, length: 20_000, checksum: nil, event: 3, opening: 1))
    state.apply(.record(synced))
    for isSameBoot in [false, true] { #expect(findings(isSameBoot: isSameBoot) == [[], []]) }
    // On two volumes two files may have one inode number, like these two names of one file: the move was not undone.
    try FileManager.default.linkItem(atPath: files.path(stored: "Files/x"), toPath: part)
    for isSameBoot in [false, true] { #expect(findings(isSameBoot: isSameBoot) == [[], []]) }
    try DiskFolder.remove(part)
    try DiskFolder.rename(files.path(stored: "Files/x"), to: part)
    #expect(findings(isSameBoot: false) == [[], [1]])
    #expect(findings(isSameBoot: true) == [[], []])
    state.apply(.acknowledged(event: 3))
    #expect(findings(isSameBoot: false) == [[], []])
  }
}
