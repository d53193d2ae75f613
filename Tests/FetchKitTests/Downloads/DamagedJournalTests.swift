import FetchKitTesting
import Foundation
import Testing

@testable import FetchKit

/// Sessions over journals that were cut off or changed: whatever is left of one, a session opens, and what it downloads
/// then is right.
@Suite(.timeLimit(.minutes(10))) struct DamagedJournalTests {
  let server: LoopbackServer
  let scratch: Scratch
  let client = FetchClient()
  let file = RangedFile(count: 3000)
  /// The files of a session with a paused download, one that has ended and one that has failed.
  let journal: [UInt8]
  let part: (name: String, data: Data)

  init() async throws {
    server = try LoopbackServer()
    // In memory where that is possible: a session waits for its disk several times.
    scratch = try Scratch(in: Scratch.otherVolume ?? FileManager.default.temporaryDirectory)
    let gate = LoopbackGate()
    server.on(.get, "/file") { [file] in file.answer($0) }
    server.on(.get, "/held") { [file] in file.answer($0).held(at: gate, after: .body(bytes: 1000)) }
    let session = try DownloadSession(identifier: "test", directory: scratch.url) { [client] in
      $0.client = client
      $0.progressInterval = .zero
    }
    for (name, path) in [("paused", "held"), ("ended", "file"), ("failed", "gone")] {
      try await session.start(server.url.appending(path: path), named: name)
    }
    _ = try await session.result(of: "ended")
    _ = try await session.result(of: "failed")
    for await progress in session.progress(of: "paused") where progress.receivedBytes == 1000 { break }
    try await session.pause("paused")
    await session.close()
    gate.open()
    let root = scratch.url.appending(path: "test")
    journal = try [UInt8](Data(contentsOf: root.appending(path: "journal")))
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "Parts").path).first)
    part = (name, try Data(contentsOf: root.appending(path: "Parts/\(name)")))
  }

  /// A session over these bytes, with the part where it was; what it knows.
  func open(_ bytes: [UInt8]) throws -> DownloadSession {
    let root = scratch.url.appending(path: "test")
    try Data(bytes).write(to: root.appending(path: "journal"))
    try part.data.write(to: root.appending(path: "Parts/\(part.name)"))
    return try DownloadSession(identifier: "test", directory: scratch.url) { $0.client = client }
  }

  /// The downloads that a session may know: each as it stood at some time.
  func check(_ session: DownloadSession, _ what: String) async {
    for task in await session.tasks() {
      #expect(["paused", "ended", "failed"].contains(task.name), "\(what): \(task)")
      // What runs is on its way in between.
      if task.state == .running { continue }
      #expect([0, 1000, 3000].contains(task.receivedBytes), "\(what): \(task)")
    }
  }

  @Test func `cut off at every byte, a session opens with what was whole`() async throws {
    for length in 0...journal.count {
      let session = try open(Array(journal[..<length]))
      await check(session, "cut at \(length)")
      await session.close()
    }
    let whole = try open(journal)
    #expect(await whole.tasks().map(\.name) == ["paused", "ended", "failed"])
    #expect(await whole.task(named: "paused")?.receivedBytes == 1000)
    #expect(whole.damagedJournalBytes == 0)
    await whole.close()
  }

  @Test func `changed at every byte, a session opens, tells how much is lost and keeps the old journal`() async throws {
    for offset in journal.indices {
      var damaged = journal
      damaged[offset] ^= UInt8(1) << UInt8(offset % 8)
      let session = try open(damaged)
      await check(session, "changed at \(offset)")
      if session.damagedJournalBytes > 0 {
        let kept = try Data(contentsOf: scratch.url.appending(path: "test/journal.damaged"))
        #expect([UInt8](kept) == damaged)
      }
      await session.close()
    }
  }

  @Test func `whatever was cut off, what is downloaded then is right`() async throws {
    var ends = [0]
    var state = JournalState()
    for length in 1...journal.count {
      let reading = JournalFrames.read(Array(journal[..<length]))
      if reading.tornBytes == 0, reading.state != state { ends.append(length) }
      state = reading.state
    }
    try #require(ends.count > 5)
    for end in ends {
      let session = try open(Array(journal[..<end]))
      let start = try await session.start(
        server.url.appending(path: "held"), named: "paused", DownloadOptions(digest: file.digest))
      let downloaded = try await session.result(of: "paused").get()
      #expect(try Data(contentsOf: downloaded.url) == file.data, "cut at \(end), \(start)")
      await session.close()
    }
  }
}
