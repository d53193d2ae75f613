import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

@testable import FetchKit

/// Where files are stored, how they are named, and what happens where they cannot be stored.
@Suite(.timeLimit(.minutes(10))) struct DownloadPlacementTests: DownloadSuite {
  let server: LoopbackServer
  let scratch: Scratch
  let file = RangedFile(count: 100_000)

  init() throws {
    server = try LoopbackServer()
    scratch = try Scratch()
    server.on(.get, "/file") { [file] in file.answer($0) }
  }

  @Test(arguments: [1, 400_000])
  func `the server's suggested name is included in the event and never used as the file name`(
    count: Int
  ) async throws {
    let named = RangedFile(count: count)
    server.on(.get, "/named") { request in
      var answer = named.answer(request)
      answer.headers["Content-Disposition"] = "attachment; filename=\"../../files/Report 7.pdf\""
      return answer
    }
    let first = try open()
    try await first.start(server.url.appending(path: "named"), named: "x")
    #expect(try await first.result(of: "x").get().suggestedFileName == "Report 7.pdf")
    #expect(await first.task(named: "x")?.suggestedFileName == "Report 7.pdf")
    await first.close()

    let second = try open()
    var events = second.events.makeAsyncIterator()
    let event = try #require(await events.next())
    let downloaded = try event.result.get()
    #expect(downloaded.suggestedFileName == "Report 7.pdf")
    #expect(downloaded.url.lastPathComponent == "x")
    #expect(try FileManager.default.contentsOfDirectory(atPath: second.filesDirectory.path) == ["x"])
    event.done()
    await second.close()
  }

  @Test func `the suggested name is known during the download and discarded with a different file`() async throws {
    let gate = LoopbackGate()
    server.on(.get, "/named") { [file] request in
      var answer = file.answer(request)
      guard RangedFile.offset(of: request) == nil else { return RangedFile(count: 10, tag: "\"two\"").answer(request) }
      answer.headers["Content-Disposition"] = "attachment; filename=a.txt"
      return answer.held(at: gate, after: .body(bytes: 50_000))
    }
    let session = try open { $0.progressInterval = .zero }
    try await session.start(server.url.appending(path: "named"), named: "x")
    for await progress in session.progress(of: "x") where progress.receivedBytes == 50_000 { break }
    try await session.pause("x")
    #expect(await eventually { await session.task(named: "x")?.suggestedFileName != nil })
    #expect(await session.task(named: "x")?.suggestedFileName == "a.txt")
    try await session.resume("x")
    #expect(try await session.result(of: "x").get().suggestedFileName == nil)
    await session.close()
    gate.open()
  }

  // Not even the superuser makes folders there; elsewhere the system's own folders are as closed.
  #if os(Linux)
  private static let closed = URL(filePath: "/sys/kernel/downloads/x")
  #else
  private static let closed = URL(filePath: "/System/downloads/x")
  #endif

  /// Whether this system refuses to create the folder: one without a mounted /sys has no such folder.
  private static var hasClosedFolder: Bool {
    let folder = closed.deletingLastPathComponent().path
    guard mkdir(folder, 0o700) != 0 else {
      rmdir(folder)
      return false
    }
    return errno == EPERM || errno == EACCES || errno == EROFS
  }

  @Test(.enabled(if: hasClosedFolder, "this system has no folder that is closed to every user"))
  func `an unwritable destination is reported, and another destination needs no second fetch`() async throws {
    let session = try open()
    let closed = Self.closed
    try await session.start(url, named: "x", DownloadOptions(destination: closed, digest: file.digest))
    let result = try await session.result(of: "x")
    #expect(result == .failure(.noPermission(path: closed.deletingLastPathComponent().path)))
    let allowed = scratch.url.appending(path: "x")
    let start = try await session.start(
      url, named: "x", DownloadOptions(destination: allowed, digest: file.digest))
    #expect(start == .continued)
    #expect(try await session.result(of: "x").get().url.path == allowed.path)
    #expect(try Data(contentsOf: allowed) == file.data)
    #expect(server.requests.count == 1)
    await session.close()
  }

  @Test(
    arguments: [
      (ENOSPC, .diskFull), (EDQUOT, .diskFull), (EFBIG, .diskFull), (EACCES, .noPermission(path: "/p")),
      (EPERM, .noPermission(path: "/p")), (EROFS, .noPermission(path: "/p")),
      (EIO, .disk(operation: "write", code: EIO)),
    ] as [(Int32, DownloadError)]) func `a system error is reported as the matching download error`(
      code: Int32, failure: DownloadError
    )
  {
    #expect(DownloadError(code: code, operation: "write", path: "/p") == failure)
    #expect(failure.keepsPartialFile)
  }

  @Test func `a destination replaces the existing file only when the new file is whole`() async throws {
    let destination = scratch.url.appending(path: "a/b/x")
    try FileManager.default.createDirectory(
      at: destination.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("old".utf8).write(to: destination)
    let gate = LoopbackGate()
    server.on(.get, "/held") { [file] in file.answer($0).held(at: gate, after: .body(bytes: 50_000)) }
    let session = try open { $0.progressInterval = .zero }
    try await session.start(
      server.url.appending(path: "held"), named: "x", DownloadOptions(destination: destination))
    for await progress in session.progress(of: "x") where progress.receivedBytes == 50_000 { break }
    #expect(try Data(contentsOf: destination) == Data("old".utf8))
    gate.open()
    #expect(try await session.result(of: "x").get().url.path == destination.path)
    #expect(try Data(contentsOf: destination) == file.data)
    await session.close()
  }

  // Where there is no other volume, as `/dev/shm` is on Linux, this does not run.
  @Test(.enabled(if: Scratch.otherVolume != nil), arguments: [DownloadSession.Durability.periodic, .beforeEvent])
  func `a file moves to another volume whole and leaves nothing next to it`(
    durability: DownloadSession.Durability
  ) async throws {
    let other = try Scratch(in: #require(Scratch.otherVolume))
    let session = try open { $0.durability = durability }
    let destination = other.url.appending(path: "new/x")
    try await session.start(url, named: "x", DownloadOptions(destination: destination, digest: file.digest))
    #expect(try await session.result(of: "x").get().byteCount == 100_000)
    #expect(try Data(contentsOf: destination) == file.data)
    #expect(try FileManager.default.subpathsOfDirectory(atPath: other.url.path).sorted() == ["new", "new/x"])
    #expect(try parts().isEmpty)
    await session.close()
  }

  @Test(.enabled(if: Scratch.otherVolume != nil), arguments: [DownloadSession.Durability.periodic, .beforeEvent])
  func `a folder that turns out to be on another volume receives a copy`(
    durability: DownloadSession.Durability
  ) async throws {
    let other = try Scratch(in: #require(Scratch.otherVolume))
    let folder = scratch.url.appending(path: "folder").path
    let session = try open {
      $0.durability = durability
      // The folder moves to the other volume once the session has seen it on the volume of the parts.
      $0.atPoint = { point in
        if point == .beforeMove, rmdir(folder) == 0 { symlink(other.url.path, folder) }
      }
    }
    for name in ["x", "y"] {
      let destination = URL(filePath: folder).appending(path: name)
      try await session.start(url, named: name, DownloadOptions(destination: destination, digest: file.digest))
      #expect(try Data(contentsOf: await session.result(of: name).get().url) == file.data)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: other.url.path).sorted() == ["x", "y"])
    #expect(server.requests.count == 2)
    #expect(try parts().isEmpty)
    await session.close()
  }

  @Test(arguments: [DownloadSession.Durability.periodic, .beforeEvent])
  func `a folder that is removed just before the move is made again`(
    durability: DownloadSession.Durability
  ) async throws {
    let folder = scratch.url.appending(path: "folder").path
    let session = try open {
      $0.durability = durability
      $0.atPoint = { if $0 == .beforeMove { rmdir(folder) } }
    }
    let destination = URL(filePath: folder).appending(path: "x")
    try await session.start(url, named: "x", DownloadOptions(destination: destination, digest: file.digest))
    #expect(try Data(contentsOf: await session.result(of: "x").get().url) == file.data)
    #expect(server.requests.count == 1)
    #expect(try parts().isEmpty)
    await session.close()
  }

  @Test func `an end that waits for the disk also waits for the journal's compaction`() async throws {
    let points = Lock<[DownloadSession.Point]>([])
    let session = try open {
      $0.durability = .beforeEvent
      $0.syncPeriod = .seconds(3600)
      $0.atPoint = { point in points.withLock { $0.append(point) } }
    }
    // The fourth name makes the journal so long that it is compacted.
    for letter in "abcd" {
      let name = String(repeating: letter, count: 300_000)
      try await session.start(url, named: name)
      _ = try await session.result(of: name).get()
    }
    #expect(points.withLock { Array($0.suffix(3)) } == [.afterAppend, .beforeNameSync, .beforeEvent])
    await session.close()
    let journal = try Data(contentsOf: scratch.url.appending(path: "test/journal"))
    #expect(journal.count > 1 << 20)
  }

  @Test(.enabled(if: Scratch.otherVolume != nil))
  func `no copy remains on another volume if the last step of a move fails`() async throws {
    let other = try Scratch(in: #require(Scratch.otherVolume))
    let destination = other.url.appending(path: "x")
    // There is a folder where the file should be.
    try FileManager.default.createDirectory(
      at: destination.appending(path: "sub"), withIntermediateDirectories: true)
    let session = try open()
    try await session.start(url, named: "x", DownloadOptions(destination: destination, digest: file.digest))
    #expect(try await session.result(of: "x") == .failure(.disk(operation: "rename", code: EISDIR)))
    #expect(try FileManager.default.subpathsOfDirectory(atPath: other.url.path).sorted() == ["x", "x/sub"])
    try FileManager.default.removeItem(at: destination)
    try await session.resume("x")
    #expect(try await session.result(of: "x").get().url.path == destination.path)
    #expect(try Data(contentsOf: destination) == file.data)
    #expect(server.requests.count == 1)
    await session.close()
  }

  @Test(.enabled(if: Scratch.otherVolume != nil), arguments: [100_000, 1_000_000])
  func `the received part is kept if no copy can be made on another volume`(count: Int) async throws {
    let other = try Scratch(in: #require(Scratch.otherVolume))
    let file = RangedFile(count: count)
    server.on(.get, "/file") { file.answer($0) }
    let session = try open()
    // There is a folder where the copy should be: the first download is number 1, its part number 2.
    let copy = StagedCopy(
      of: 2, in: other.url.path, session.core.files, journal: session.core.journalName)
    let staged = URL(filePath: copy.path)
    try FileManager.default.createDirectory(at: staged, withIntermediateDirectories: false)
    let destination = other.url.appending(path: "x")
    try await session.start(url, named: "x", DownloadOptions(destination: destination, digest: file.digest))
    #expect(try await session.result(of: "x") == .failure(.disk(operation: "open", code: EISDIR)))
    #expect(await session.task(named: "x")?.receivedBytes == Int64(count))
    try FileManager.default.removeItem(at: staged)
    try await session.resume("x")
    #expect(try Data(contentsOf: await session.result(of: "x").get().url) == file.data)
    #expect(server.requests.count == 1)
    await session.close()
  }

  @Test(.enabled(if: Scratch.otherVolume != nil))
  func `a copy on another volume is removed even if its download was forgotten before a kill`() async throws {
    let other = try Scratch(in: #require(Scratch.otherVolume))
    let probe = Probe(
      directory: scratch.url, url: url, digest: try #require(file.digest), interval: 1 << 20,
      destination: other.url.appending(path: "file"))
    let killed = try await probe.run(killAt: "afterStaging:1", environment: ["PROBE_FORGETS": "1"])
    #expect(killed.wasKilled)
    #expect(try FileManager.default.contentsOfDirectory(atPath: other.url.path).count == 1)
    let session = try DownloadSession(identifier: "probe", directory: scratch.url)
    #expect(await session.tasks().isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: other.url.path).isEmpty)
    #expect(try probe.parts().isEmpty)
    await session.close()
  }

  @Test(.enabled(if: Scratch.otherVolume != nil))
  func `an unreported move is synced to the disk before it is reported`() async throws {
    let other = try Scratch(in: #require(Scratch.otherVolume))
    let probe = Probe(
      directory: scratch.url, url: url, digest: try #require(file.digest), interval: 1 << 20,
      destination: other.url.appending(path: "file"))
    #expect(try await probe.run(killAt: "beforeNameSync:1").wasKilled)
    let points = Lock<[DownloadSession.Point]>([])
    let session = try DownloadSession(identifier: "probe", directory: scratch.url) {
      $0.atPoint = { point in points.withLock { $0.append(point) } }
    }
    #expect(points.withLock { $0 } == [.beforeNameSync, .beforeAppend, .afterAppend, .beforeEvent])
    #expect(try Data(contentsOf: await session.result(of: "file").get().url) == file.data)
    #expect(server.requests.count == 1)
    await session.close()
  }

  @Test func `a move whose sync fails is reported, and synced later`() async throws {
    let probe = Probe(directory: scratch.url, url: url, digest: try #require(file.digest), interval: 1 << 20)
    #expect(try await probe.run(killAt: "afterMove:1", environment: ["PROBE_PATIENT": "1"]).wasKilled)
    // The folder is absent when its names are to be synced for the first time.
    let folder = probe.file.deletingLastPathComponent().path
    let syncs = Counter()
    let session = try DownloadSession(identifier: "probe", directory: scratch.url) {
      $0.syncPeriod = .seconds(3600)
      $0.atPoint = { point in
        if point == .beforeNameSync, syncs.next() == 1 { rename(folder, folder + ".away") }
        if point == .beforeAppend { rename(folder + ".away", folder) }
      }
    }
    func placement() throws -> Placement? {
      let journal = try [UInt8](Data(contentsOf: scratch.url.appending(path: "probe/journal")))
      guard case .finished(let placement)? = JournalFrames.read(journal).state.records.values.first?.phase else {
        return nil
      }
      return placement
    }
    var events = session.events.makeAsyncIterator()
    let event = try #require(await events.next())
    #expect(try Data(contentsOf: event.result.get().url) == file.data)
    #expect(server.requests.count == 1)
    #expect(try #require(try placement()).checksum != nil)
    await session.close()
    #expect(syncs.next() == 3, "the names were synced again")
    #expect(try #require(try placement()).checksum == nil)
  }

  @Test func `a start that the disk refused does not reserve the name`() async throws {
    let probe = Probe(directory: scratch.url, url: url, digest: try #require(file.digest), interval: 1 << 20)
    let outcome = try await probe.run(environment: ["PROBE_FILE_LIMIT": "60", "PROBE_STARTS_AGAIN": "1"])
    #expect(outcome.lines.first == "refused the session's files could not be used: the disk is full")
    #expect(outcome.tokens("finished").count == 1, "\(outcome.lines)")
    #expect(outcome.lines.last == "closed")
    #expect(try Data(contentsOf: probe.file) == file.data)
    #expect(server.requests.count == 1)
  }

  @Test func `a start that the disk refuses keeps the part received under that name`() async throws {
    let probe = Probe(directory: scratch.url, url: url, digest: try #require(file.digest), interval: 16 << 10)
    let full = try await probe.run(environment: ["PROBE_FILE_LIMIT": "50000"])
    #expect(full.lines.contains { $0.hasSuffix("the disk is full") }, "\(full.lines)")
    // The journal cannot grow by a single byte.
    let journal = try Data(contentsOf: scratch.url.appending(path: "probe/journal")).count
    let refused = try await probe.run(environment: ["PROBE_FILE_LIMIT": "\(journal)", "PROBE_STARTS": "1"])
    #expect(refused.lines == ["error the session's files could not be used: the disk is full"])
    #expect(try #require(try probe.partLength()) >= 50_000 - 16 << 10)
    let again = try await probe.run(environment: ["PROBE_RESUME": "1"])
    #expect(again.tokens("finished").count == 1, "\(again.lines)")
    #expect(try Data(contentsOf: probe.file) == file.data)
    #expect(try #require(server.requests.compactMap(RangedFile.offset).last) >= 50_000 - 16 << 10)
  }

  // 13 bytes and more are the lock file's, 100 and more the journal with a download.
  @Test(arguments: [5, 60]) func `a start is refused when the disk takes no journal`(limit: Int) async throws {
    let probe = Probe(directory: scratch.url, url: url, digest: try #require(file.digest), interval: 1 << 20)
    let full = try await probe.run(environment: ["PROBE_FILE_LIMIT": "\(limit)"])
    #expect(full.lines == ["error the session's files could not be used: the disk is full"])
    #expect(server.requests.isEmpty)
    let again = try await probe.run()
    #expect(again.tokens("finished").count == 1, "\(again.lines)")
    #expect(try Data(contentsOf: probe.file) == file.data)
  }
}
