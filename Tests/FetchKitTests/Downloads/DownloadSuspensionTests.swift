import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

@testable import FetchKit

@Suite(.timeLimit(.minutes(10))) struct DownloadSuspensionTests: DownloadSuite {
  let server: LoopbackServer
  let scratch: Scratch
  let file = RangedFile(count: 300_000)

  init() throws {
    server = try LoopbackServer()
    scratch = try Scratch()
    server.on(.get, "/file") { [file] in file.answer($0) }
  }

  private var locks: [String] { HeldFiles.locks(in: scratch.url) }

  /// Starts a download whose first request is held after 100,000 bytes.
  private func startHeld(_ session: DownloadSession, at gate: LoopbackGate, named name: String = "one") async throws {
    server.on(.get, "/held") { [file] request in
      let answer = file.answer(request)
      return RangedFile.offset(of: request) == nil ? answer.held(at: gate, after: .body(bytes: 100_000)) : answer
    }
    try await session.start(server.url.appending(path: "held"), named: name, DownloadOptions(digest: file.digest))
    for await progress in session.progress(of: name) where progress.receivedBytes == 100_000 { break }
  }

  private func expect(
    _ expected: DownloadSessionError, isolation: isolated (any Actor)? = #isolation,
    _ location: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
  ) async {
    do {
      try await body()
      Issue.record("nothing was thrown", sourceLocation: location)
    } catch {
      #expect(error as? DownloadSessionError == expected, sourceLocation: location)
    }
  }

  @Test(.enabled(if: HeldFiles.areKnown))
  func `a suspended session holds no lock and keeps the bytes, and continues at their offset`() async throws {
    let gate = LoopbackGate()
    defer { gate.open() }
    let session = try open { $0.progressInterval = .zero }
    try await startHeld(session, at: gate)
    #expect(locks == ["FLOCK WRITE test/lock"])
    async let result = session.result(of: "one")
    await session.suspend()
    #expect(locks == [])
    await session.suspend()
    #expect(locks == [])
    let task = try #require(await session.task(named: "one"))
    #expect(task.state == .waiting && task.receivedBytes == 100_000)
    #expect(server.requests.count == 1)

    try await session.resume()
    #expect(locks == ["FLOCK WRITE test/lock"])
    #expect(try Data(contentsOf: await result.get().url) == file.data)
    #expect(server.requests.compactMap(RangedFile.offset) == [100_000])
    try await session.resume()
    await session.close()
    #expect(locks == [])
  }

  @Test func `a suspended session refuses changes, and shows its downloads`() async throws {
    let gate = LoopbackGate()
    defer { gate.open() }
    let session = try open { $0.progressInterval = .zero }
    try await startHeld(session, at: gate)
    await session.suspend()
    await expect(.suspended) { try await session.start(url, named: "two") }
    await expect(.suspended) { try await session.start(url, named: "one") }
    await expect(.suspended) { try await session.pause("one") }
    await expect(.suspended) { try await session.resume("one") }
    await expect(.suspended) { try await session.cancel("one") }
    await expect(.suspended) { try await session.remove("one") }
    await expect(.suspended) { try await session.setPriority(.high, of: "one") }
    await expect(.unknownDownload(name: "two")) { _ = try await session.result(of: "two") }
    await session.setMaxConcurrentDownloads(1)
    #expect(await session.tasks().map(\.name) == ["one"])
    #expect(!session.core.isIdle)
    #expect("\(DownloadSessionError.suspended)" == "the session is suspended: call resume() first")
    try await session.resume()
    _ = try await session.result(of: "one").get()
    await session.close()
    await expect(.closed) { try await session.resume() }
    await session.suspend()
  }

  @Test func `a session closed while it is suspended leaves its downloads to the next one`() async throws {
    let gate = LoopbackGate()
    defer { gate.open() }
    let session = try open { $0.progressInterval = .zero }
    try await startHeld(session, at: gate)
    async let waiting: Void = expect(.closed) { _ = try await session.result(of: "one") }
    await session.suspend()
    let journal = try Data(contentsOf: scratch.url.appending(path: "test/journal"))
    await session.close()
    await waiting
    // Another process may have written it in the meantime.
    #expect(try Data(contentsOf: scratch.url.appending(path: "test/journal")) == journal)
    await expect(.closed) { try await session.resume() }
    let next = try open()
    #expect(try await next.result(of: "one").get().byteCount == 300_000)
    #expect(server.requests.compactMap(RangedFile.offset) == [100_000])
    await next.close()
  }

  @Test func `a session that another one has opened cannot be resumed until that one is closed`() async throws {
    let gate = LoopbackGate()
    defer { gate.open() }
    let session = try open { $0.progressInterval = .zero }
    try await startHeld(session, at: gate)
    server.on(.get, "/gone", .status(404))
    async let result = session.result(of: "one")
    await session.suspend()

    let other = try open()
    await expect(.inUse(holder: "process \(getpid())")) { try await session.resume() }
    await expect(.suspended) { try await session.pause("one") }
    _ = try await other.result(of: "one").get()
    try await other.start(server.url.appending(path: "gone"), named: "two")
    _ = try await other.result(of: "two")
    await expect(.inUse(holder: "process \(getpid())")) { try await session.resume() }
    await other.close()

    try await session.resume()
    #expect(try Data(contentsOf: await result.get().url) == file.data)
    #expect(await session.tasks().map(\.state) == [.finished, .failed(.status(404))])
    var ended: Set<String> = []
    for await event in session.events {
      ended.insert(event.name)
      event.done()
      if ended.count == 2 { break }
    }
    #expect(ended == ["one", "two"])
    await session.close()
  }

  @Test func `waits for a download that another session has removed end when the session is resumed`() async throws {
    let gate = LoopbackGate()
    defer { gate.open() }
    let session = try open { $0.progressInterval = .zero }
    try await startHeld(session, at: gate)
    let progress = session.progress(of: "one")
    async let waiting: Void = expect(.unknownDownload(name: "one")) { _ = try await session.result(of: "one") }
    await session.suspend()
    let other = try open()
    try await other.remove("one")
    await other.close()
    try await session.resume()
    await waiting
    for await _ in progress {}
    #expect(await session.tasks().isEmpty)
    await session.close()
  }

  @Test func `a folder that was removed during a suspension is a new and empty session`() async throws {
    let gate = LoopbackGate()
    defer { gate.open() }
    let session = try open { $0.progressInterval = .zero }
    try await startHeld(session, at: gate)
    async let waiting: Void = expect(.unknownDownload(name: "one")) { _ = try await session.result(of: "one") }
    await session.suspend()
    try FileManager.default.removeItem(at: scratch.url.appending(path: "test"))
    try await session.resume()
    await waiting
    #expect(await session.tasks().isEmpty)
    try await session.start(url, named: "two")
    #expect(try await session.result(of: "two").get().byteCount == 300_000)
    await session.close()
  }

  @Test func `an event is acknowledged during a suspension, and no event is delivered twice`() async throws {
    let session = try open()
    var events = session.events.makeAsyncIterator()
    var delivered: [DownloadEvent] = []
    for name in ["one", "two", "three"] {
      try await session.start(url, named: name)
      _ = try await session.result(of: name)
      if name != "three" { delivered.append(try #require(await events.next())) }
    }
    await session.suspend()
    delivered[0].done()
    #expect(await session.tasks().count == 3)
    try await session.resume()
    #expect(await session.tasks().map(\.name) == ["two", "three"])
    #expect(await events.next()?.name == "three")
    delivered[1].done()
    #expect(await session.tasks().map(\.name) == ["three"])
    await session.close()
    let next = try open()
    #expect(await next.tasks().map(\.name) == ["three"])
    await next.close()
  }

  @Test func `the time of a suspension ends no request, and costs no attempt`() async throws {
    let clock = ManualClock()
    let gate = LoopbackGate()
    defer { gate.open() }
    let session = try open { configuration in
      configuration.progressInterval = .zero
      configuration.client = FetchClient {
        $0.clock = clock
        $0.retry = RetryPolicy(maxAttempts: 1)
      }
    }
    try await startHeld(session, at: gate)
    await session.suspend()
    clock.advance(by: .seconds(36_000))
    try await session.resume()
    #expect(try await session.result(of: "one").get().byteCount == 300_000)
    #expect(server.requests.compactMap(RangedFile.offset) == [100_000])
    await session.close()
  }

  @Test func `the wait for the next attempt ends with the suspension, and the attempts before it count`() async throws {
    let clock = ManualClock()
    server.on(.get, "/busy", .status(503))
    let session = try open { configuration in
      configuration.client = FetchClient {
        $0.clock = clock
        $0.random = { 0.5 }
        $0.retry = RetryPolicy(maxAttempts: 2)
        $0.retry.budget = nil
      }
    }
    try await session.start(server.url.appending(path: "busy"), named: "one")
    #expect(await eventually { await session.task(named: "one")?.state == .waitingToRetry })
    await session.suspend()
    #expect(await session.task(named: "one")?.state == .waiting)
    try await session.resume()
    #expect(try await session.result(of: "one") == .failure(.status(503)))
    #expect(server.requests.count == 2)
    await session.close()
  }

  @Test func `a provider can suspend its own session`() async throws {
    let sessions = Lock<DownloadSession?>(nil)
    let suspended = AsyncStream.makeStream(of: Void.self)
    let session = try open { [url] configuration in
      configuration.provider = { _, _ in
        if let session = sessions.withLock({ $0 }) {
          sessions.withLock { $0 = nil }
          await session.suspend()
          do {
            while true { try await session.resume() }
          } catch {
            suspended.continuation.finish()
          }
        }
        return HTTPRequest(.get, url)
      }
    }
    sessions.withLock { $0 = session }
    try await session.start(url, named: "one")
    for await _ in suspended.stream {}
    await session.suspend()
    #expect(locks == [])
    try await session.resume()
    #expect(try await session.result(of: "one").get().byteCount == 300_000)
    await session.close()
  }

  @Test(arguments: [DownloadSession.Durability.periodic, .beforeEvent])
  func `downloads survive repeated suspensions, and each end is reported once`(
    _ durability: DownloadSession.Durability
  ) async throws {
    let count = 30
    for number in 0..<count {
      server.on(.get, "/\(number)") { request in
        RangedFile(count: 20_000 + number, seed: UInt64(number)).answer(request).dripping(
          bytes: 4096, every: .milliseconds(1))
      }
    }
    let session = try open { configuration in
      configuration.durability = durability
      configuration.syncInterval = 4096
      configuration.progressInterval = .zero
    }
    let ended = Lock<[String: Int]>([:])
    let listening = session.onEvent { event in
      ended.withLock { $0[event.name, default: 0] += 1 }
      event.done()
    }
    for number in 0..<count {
      let file = RangedFile(count: 20_000 + number, seed: UInt64(number))
      try await session.start(
        server.url.appending(path: "\(number)"), named: "\(number)", DownloadOptions(digest: file.digest))
    }
    for round in 1...10 {
      #expect(await eventually { server.requests.count >= round * 3 || ended.withLock { $0.count } == count })
      await session.suspend()
      #expect(locks == [])
      try await session.resume()
    }
    #expect(await eventually { ended.withLock { $0.count } == count })
    #expect(ended.withLock { $0.values.allSatisfy { $0 == 1 } })
    for number in 0..<count {
      let data = try Data(contentsOf: session.filesDirectory.appending(path: "\(number)"))
      #expect(data == RangedFile(count: 20_000 + number, seed: UInt64(number)).data)
    }
    listening.cancel()
    await session.close()
    #expect(locks == [])
    #expect(try parts().isEmpty)
  }
}
