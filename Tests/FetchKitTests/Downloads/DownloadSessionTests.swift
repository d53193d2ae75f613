import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

@testable import FetchKit

@Suite(.timeLimit(.minutes(10))) struct DownloadSessionTests: DownloadSuite {
  let server: LoopbackServer
  let scratch: Scratch
  let file = RangedFile(count: 300_000)

  init() throws {
    server = try LoopbackServer()
    scratch = try Scratch()
    server.on(.get, "/file") { [file] in file.answer($0) }
  }

  @Test func `a finished download has its file in place and an event`() async throws {
    let session = try open()
    #expect(try await session.start(url, named: "a/b", DownloadOptions(digest: file.digest)) == .started)
    var events = session.events.makeAsyncIterator()
    let event = try #require(await events.next())
    #expect(event.name == "a/b")
    let downloaded = try event.result.get()
    #expect(try Data(contentsOf: downloaded.url) == file.data)
    #expect(downloaded.byteCount == 300_000)
    #expect(
      downloaded.url.deletingLastPathComponent().standardizedFileURL == session.filesDirectory.standardizedFileURL)
    #expect(await session.tasks().map(\.state) == [.finished])
    event.done()
    await session.close()
    #expect(await session.tasks().isEmpty)
    #expect(try parts().isEmpty)
  }

  @Test func `starting a name that is already downloading joins that download`() async throws {
    let gate = LoopbackGate()
    server.on(.get, "/slow") { [file] in file.answer($0).held(at: gate) }
    let session = try open()
    let slow = server.url.appending(path: "slow")
    #expect(try await session.start(slow, named: "one") == .started)
    #expect(try await session.start(url, named: "one") == .joined)
    try await session.pause("one")
    #expect(await session.task(named: "one")?.state == .paused)
    #expect(try await session.start(slow, named: "one") == .joined)
    gate.open()
    #expect(try await session.result(of: "one").get().byteCount == 300_000)
    await session.close()
  }

  @Test func `a name that is started by many callers at a time is downloaded once`() async throws {
    let gate = LoopbackGate()
    server.on(.get, "/slow") { [file] in file.answer($0).held(at: gate) }
    let session = try open()
    let url = server.url.appending(path: "slow")
    let starts = try await withThrowingTaskGroup(of: DownloadSession.Start.self) { group in
      for _ in 0..<50 { group.addTask { try await session.start(url, named: "one") } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(starts.count { $0 == .started } == 1)
    #expect(starts.count { $0 == .joined } == 49)
    gate.open()
    _ = try await session.result(of: "one").get()
    #expect(server.requests.count == 1)
    await session.close()
  }

  @Test func `a paused download resumes at its offset`() async throws {
    let gate = LoopbackGate()
    server.on(.get, "/held") { [file] request in
      let answer = file.answer(request)
      return RangedFile.offset(of: request) == nil ? answer.held(at: gate, after: .body(bytes: 100_000)) : answer
    }
    let session = try open { $0.progressInterval = .zero }
    try await session.start(server.url.appending(path: "held"), named: "one", DownloadOptions(digest: file.digest))
    for await progress in session.progress(of: "one") where progress.receivedBytes == 100_000 { break }
    try await session.pause("one")
    await session.close()
    gate.open()

    let again = try open()
    let task = try #require(await again.task(named: "one"))
    #expect(task.state == .paused)
    #expect(task.receivedBytes == 100_000)
    #expect(task.totalBytes == 300_000)
    try await again.resume("one")
    let downloaded = try await again.result(of: "one").get()
    #expect(try Data(contentsOf: downloaded.url) == file.data)
    #expect(server.requests.compactMap(RangedFile.offset) == [100_000])
    #expect(server.requests.last?.headers["If-Range"] == "\"one\"")
    // Offsets into a compressed response mean nothing.
    #expect(server.requests.map { $0.headers["Accept-Encoding"] } == ["identity", "identity"])
    await again.close()
  }

  @Test func `a download that ended without a listener is reported once to the next program`() async throws {
    server.on(.get, "/gone", .status(404))
    let first = try open()
    try await first.start(url, named: "good")
    try await first.start(server.url.appending(path: "gone"), named: "bad")
    _ = try await first.result(of: "good")
    _ = try await first.result(of: "bad")
    await first.close()

    let second = try open()
    var tokens: [String: DownloadEvent.Token] = [:]
    for await event in second.events {
      tokens[event.name] = event.token
      if event.name == "good" { event.done() }
      if tokens.count == 2 { break }
    }
    await second.close()

    let third = try open()
    for await event in third.events {
      #expect(event.name == "bad")
      #expect(event.token == tokens["bad"])
      if case .failure(let failure) = event.result { #expect(failure == .status(404)) }
      event.done()
      break
    }
    await third.close()

    let fourth = try open()
    #expect(await fourth.tasks().map(\.name) == ["bad"])
    #expect(fourth.core.isIdle)
    await fourth.close()
  }

  @Test func `a download's progress ends with it, and immediately for a later listener`() async throws {
    let gate = LoopbackGate()
    server.on(.get, "/held") { [file] in file.answer($0).held(at: gate, after: .body(bytes: 100_000)) }
    let session = try open { $0.progressInterval = .zero }
    try await session.start(server.url.appending(path: "held"), named: "one")
    var reported: [Int64] = []
    for await progress in session.progress(of: "one") {
      reported.append(progress.receivedBytes)
      if progress.receivedBytes == 100_000 { gate.open() }
    }
    #expect(reported.contains(100_000))
    _ = try await session.result(of: "one").get()
    for await progress in session.progress(of: "one") { Issue.record("the download has ended: \(progress)") }
    for await progress in session.progress(of: "none") { Issue.record("no such download: \(progress)") }
    await session.close()
    for await progress in session.progress(of: "one") { Issue.record("the session is closed: \(progress)") }
  }

  @Test func `every caller of close returns when the session is closed`() async throws {
    let gate = AsyncStream.makeStream(of: Void.self)
    let asked = AsyncStream.makeStream(of: Void.self)
    let session = try open {
      $0.provider = { task, _ in
        asked.continuation.yield()
        // This task ignores its cancellation.
        await Task { for await _ in gate.stream {} }.value
        return task.request
      }
    }
    try await session.start(url, named: "one")
    for await _ in asked.stream { break }
    let first = Task { await session.close() }
    let isClosing = await eventually {
      do throws(DownloadSessionError) {
        try await session.resume("none")
        return true
      } catch {
        return error == .closed
      }
    }
    #expect(isClosing)
    Task {
      for _ in 0..<1000 { await Task.yield() }
      gate.continuation.finish()
    }
    await session.close()
    let again = try open()
    await again.close()
    await first.value
  }

  @Test func `a provider may close its session`() async throws {
    let own = Lock<DownloadSession?>(nil)
    let session = try open {
      $0.provider = { task, _ in
        await own.withLock { $0 }?.close()
        return task.request
      }
    }
    own.withLock { $0 = session }
    try await session.start(url, named: "one")
    await #expect(throws: DownloadSessionError.closed) { try await session.result(of: "one").get() }
    await session.close()
    own.withLock { $0 = nil }
    let again = try open()
    #expect(await again.task(named: "one") != nil)
    await again.close()
  }

  @Test func `a download retries a lost connection from the point where it broke`() async throws {
    server.on(.get, "/flaky") { [file] request in
      let answer = file.answer(request)
      return RangedFile.offset(of: request) ?? 0 < 250_000 ? answer.cut(after: .body(bytes: 50_000)) : answer
    }
    let session = try open()
    try await session.start(server.url.appending(path: "flaky"), named: "x", DownloadOptions(digest: file.digest))
    let downloaded = try await session.result(of: "x").get()
    #expect(try Data(contentsOf: downloaded.url) == file.data)
    #expect(server.requests.compactMap(RangedFile.offset) == [50_000, 100_000, 150_000, 200_000, 250_000])
    await session.close()
  }

  @Test func `a session limits its running downloads and starts the highest priority first`() async throws {
    let gate = LoopbackGate()
    server.on(.get, "/slow/{name}") { [file] in file.answer($0).held(at: gate) }
    let session = try open { $0.maxConcurrentDownloads = 1 }
    func url(_ name: String) -> URL { server.url.appending(path: "slow/\(name)") }
    try await session.start(url("first"), named: "first", DownloadOptions(priority: .low))
    await server.requests(atLeast: 1)
    for name in ["second", "third", "fourth"] { try await session.start(url(name), named: name) }
    try await session.start(url("high"), named: "high", DownloadOptions(priority: .high))
    try await session.setPriority(.high, of: "fourth")
    try await session.setPriority(.low, of: "second")
    #expect(await session.task(named: "fourth")?.priority == .high)
    #expect(await session.tasks().map(\.state) == [.running, .waiting, .waiting, .waiting, .waiting])
    #expect(server.requests.count == 1)
    await session.setMaxConcurrentDownloads(2)
    await server.requests(atLeast: 2)
    // From here on one after the other, once both have ended.
    await session.setMaxConcurrentDownloads(1)
    gate.open()
    for name in ["second", "third", "fourth", "high"] { _ = try await session.result(of: name).get() }
    let order = server.requests.map { $0.target.dropFirst("/slow/".count) }
    #expect(order == ["first", "high", "fourth", "third", "second"])
    await session.close()
  }
}
