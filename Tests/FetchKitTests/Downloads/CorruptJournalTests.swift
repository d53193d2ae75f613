import FetchKitTesting
import Foundation
import Testing

@testable import FetchKit

/// Sessions over truncated or altered journals: whatever is left of one, a session opens, and its later downloads are
/// correct.
@Suite(.timeLimit(.minutes(10))) struct CorruptJournalTests {
  let server: LoopbackServer
  let scratch: Scratch
  let client = FetchClient()
  let file = RangedFile(count: 3000)
  /// The files of a session with a paused download, one that has ended and one that has failed.
  let journal: [UInt8]
  let part: (name: String, data: Data)

  init() async throws {
    server = try LoopbackServer()
    // In memory where possible: a session waits for its disk several times.
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

  /// Opens a session over a journal of these bytes, with the part in place.
  func open(_ bytes: [UInt8]) throws -> DownloadSession {
    let root = scratch.url.appending(path: "test")
    try Data(bytes).write(to: root.appending(path: "journal"))
    try part.data.write(to: root.appending(path: "Parts/\(part.name)"))
    return try DownloadSession(identifier: "test", directory: scratch.url) { $0.client = client }
  }

  /// The downloads that a session may know: each in a state it once had.
  func check(_ session: DownloadSession, _ what: String) async {
    for task in await session.tasks() {
      #expect(["paused", "ended", "failed"].contains(task.name), "\(what): \(task)")
      // A running download is in between.
      if task.state == .running { continue }
      #expect([0, 1000, 3000].contains(task.receivedBytes), "\(what): \(task)")
    }
  }

  @Test func `a session opens from a journal truncated at any byte and keeps its whole entries`() async throws {
    for length in 0...journal.count {
      let session = try open(Array(journal[..<length]))
      await check(session, "truncated at \(length)")
      await session.close()
    }
    let whole = try open(journal)
    #expect(await whole.tasks().map(\.name) == ["paused", "ended", "failed"])
    #expect(await whole.task(named: "paused")?.receivedBytes == 1000)
    #expect(whole.corruptJournalBytes == 0)
    await whole.close()
  }

  @Test func `a session opens from a journal with any byte changed, reports the loss and keeps the file`() async throws
  {
    for offset in journal.indices {
      var corrupt = journal
      corrupt[offset] ^= UInt8(1) << UInt8(offset % 8)
      let session = try open(corrupt)
      await check(session, "changed at \(offset)")
      if session.corruptJournalBytes > 0 {
        let kept = try Data(contentsOf: scratch.url.appending(path: "test/journal.corrupt"))
        #expect([UInt8](kept) == corrupt)
      }
      await session.close()
    }
  }

  @Test func `after a journal is truncated behind any entry, the next download is correct`() async throws {
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
      #expect(try Data(contentsOf: downloaded.url) == file.data, "truncated at \(end), \(start)")
      await session.close()
    }
  }
}
