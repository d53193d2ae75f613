import FetchKit
import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

/// Events, the background handler, providers and everything else that a program observes of a session.
@Suite(.timeLimit(.minutes(10))) struct DownloadListeningTests: DownloadSuite {
  let server: LoopbackServer
  let scratch: Scratch
  let file = RangedFile(count: 100_000)

  init() throws {
    server = try LoopbackServer()
    scratch = try Scratch()
    server.on(.get, "/file") { [file] in file.answer($0) }
    server.on(.get, "/gone", .status(404))
  }

  @Test func `a download's callback runs in its own isolation, once per end`() async throws {
    let session = try open()
    let names = await withCheckedContinuation { continuation in
      Task { @MainActor in
        var names: [String] = []
        session.onEvent { @MainActor event in
          MainActor.assertIsolated()
          names.append(event.name)
          event.done()
          if names.count == 2 { continuation.resume(returning: names) }
        }
        try await session.start(url, named: "one")
        try await session.start(server.url.appending(path: "gone"), named: "two")
      }
    }
    #expect(names.sorted() == ["one", "two"])
    await session.close()
  }

  final class Listener: DownloadSessionDelegate {
    let ends = AsyncStream.makeStream(of: String.self)
    let progress = Lock<[DownloadProgress]>([])

    func downloadSession(_ session: DownloadSession, didEnd event: DownloadEvent) async {
      ends.continuation.yield(event.name)
      event.done()
    }

    func downloadSession(_ session: DownloadSession, didProgress progress: DownloadProgress) {
      self.progress.withLock { $0.append(progress) }
    }
  }

  @Test func `a download delegate receives progress and ends for as long as it lives`() async throws {
    let session = try open { $0.progressInterval = .zero }
    var listener: Listener? = Listener()
    session.setDelegate(listener)
    try await session.start(url, named: "one")
    for await name in try #require(listener).ends.stream {
      #expect(name == "one")
      break
    }
    let reported = try #require(listener).progress.withLock { $0 }
    #expect(reported.last?.receivedBytes == 100_000)
    #expect(reported.last?.fraction == 1)
    #expect(reported.map(\.receivedBytes) == reported.map(\.receivedBytes).sorted())

    listener = nil
    try await session.start(url, named: "two")
    _ = try await session.result(of: "two")
    // The event was not acknowledged, so the next listener receives it.
    for await event in session.events {
      #expect(event.name == "two")
      event.done()
      break
    }
    await session.close()
  }

  @Test func `the background handler is called once, when every download has ended and is acknowledged`() async throws {
    let gate = LoopbackGate()
    server.on(.get, "/slow") { [file] in file.answer($0).held(at: gate) }
    let session = try open()
    try await session.start(server.url.appending(path: "slow"), named: "slow")
    let order = Lock<[String]>([])
    #expect(!session.handleEvents(forSession: "other") { order.withLock { $0.append("wrong") } })
    let (called, continuation) = AsyncStream.makeStream(of: Void.self)
    let isTaken = session.handleEvents(forSession: "test") { @MainActor in
      MainActor.assertIsolated()
      order.withLock { $0.append("handler") }
      continuation.finish()
    }
    #expect(isTaken)
    gate.open()
    for await event in session.events {
      order.withLock { $0.append("event") }
      event.done()
      break
    }
    for await _ in called {}
    #expect(order.withLock { $0 } == ["event", "handler"])

    // The handler is called only once, so its last call is observed last.
    try await session.start(url, named: "later")
    var events = session.events.makeAsyncIterator()
    await events.next()?.done()
    await withCheckedContinuation { continuation in
      session.handleEvents(forSession: "test") { continuation.resume() }
    }
    #expect(order.withLock { $0 } == ["event", "handler"])
    await session.close()
  }

  @Test func `the background handler runs on the queue that was named`() async throws {
    let session = try open()
    let queue = DispatchQueue(label: "test")
    await withCheckedContinuation { continuation in
      session.handleEvents(forSession: "test", on: queue) {
        dispatchPrecondition(condition: .onQueue(queue))
        continuation.resume()
      }
    }
    await session.close()
  }

  @Test func `a credential provider is called before every attempt`() async throws {
    let secret = HTTPRequest(.get, url.appending(queryItems: [URLQueryItem(name: "api_key", value: "K3Y")]))
    let bare = try open()
    await #expect(throws: DownloadSessionError.secretsNeedProvider(names: ["api_key"])) {
      try await bare.start(secret, named: "one")
    }
    #expect(await bare.tasks().isEmpty)
    await bare.close()

    let session = try open {
      $0.provider = { task, _ in
        var request = task.request
        request.url.append(queryItems: [URLQueryItem(name: "api_key", value: "K3Y")])
        request.headers["Authorization"] = "Bearer T0KEN"
        return request
      }
    }
    try await session.start(secret, named: "one")
    _ = try await session.result(of: "one").get()
    #expect(server.requests.map { $0.query("api_key") } == ["K3Y"])
    #expect(server.requests.map { $0.headers["Authorization"] } == ["Bearer T0KEN"])
    let journal = try Data(contentsOf: scratch.url.appending(path: "test/journal"))
    #expect(journal.range(of: Data("K3Y".utf8)) == nil)
    #expect(journal.range(of: Data("T0KEN".utf8)) == nil)
    await session.close()
  }

  @Test func `a credential provider that throws is called again, and its error text stays hidden`() async throws {
    struct LockedError: Error { let token = "T0KEN" }
    let tries = Counter()
    let session = try open {
      $0.provider = { task, _ in
        if tries.next() == 1 { throw LockedError() }
        return task.request
      }
    }
    try await session.start(url, named: "one")
    #expect(try await session.result(of: "one").get().byteCount == 100_000)
    #expect(tries.next() == 3)
    await session.close()

    let locked = try open { $0.provider = { _, _ in throw LockedError() } }
    try await locked.start(url, named: "two")
    #expect(try await locked.result(of: "two") == .failure(.request(reason: "the provider failed: LockedError")))
    #expect(server.requests.count == 1)
    await locked.close()
  }

  @Test func `an expired URL is resolved again, and the download resumes at its offset`() async throws {
    let expired = Lock(false)
    server.on(.get, "/signed") { [file] request in
      let isFresh = request.query("n") == "2"
      if expired.withLock({ $0 }), !isFresh { return .status(403) }
      let answer = file.answer(request)
      guard !isFresh else { return answer }
      expired.withLock { $0 = true }
      return answer.cut(after: .body(bytes: 40_000))
    }
    let signed = server.url.appending(path: "signed")
    let session = try open {
      $0.client = FetchClient {
        $0.retry = RetryPolicy(maxAttempts: 2)
        $0.random = { 0 }
      }
      $0.provider = { task, refused in
        var request = task.request
        request.url.append(queryItems: [URLQueryItem(name: "n", value: refused == nil ? "1" : "2")])
        return request
      }
    }
    try await session.start(signed, named: "one", DownloadOptions(digest: file.digest))
    _ = try await session.result(of: "one").get()
    #expect(server.requests.map(RangedFile.offset) == [nil, 40_000, 40_000])
    #expect(server.requests.map { $0.query("n") } == ["1", "1", "2"])
    await session.close()
  }

  @Test func `a download starts over when the new URL leads to another file`() async throws {
    let other = RangedFile(count: 60_000, seed: 2, tag: "\"two\"")
    server.on(.get, "/old") { [file] request in
      RangedFile.offset(of: request) == nil ? file.answer(request).cut(after: .body(bytes: 40_000)) : .status(410)
    }
    server.on(.get, "/new") { other.answer($0) }
    let session = try open {
      $0.client = FetchClient {
        $0.retry = RetryPolicy(maxAttempts: 2)
        $0.random = { 0 }
      }
      $0.provider = { [server] _, refused in
        HTTPRequest(.get, server.url.appending(path: refused == nil ? "old" : "new"))
      }
    }
    try await session.start(server.url.appending(path: "old"), named: "one", DownloadOptions(digest: other.digest))
    let downloaded = try await session.result(of: "one").get()
    #expect(try Data(contentsOf: downloaded.url) == other.data)
    #expect(server.requests.map(\.path) == ["/old", "/old", "/new"])
    #expect(server.requests.last?.headers["If-Range"] == "\"one\"")
    await session.close()
  }

  @Test func `each attempt follows redirects from the original URL`() async throws {
    server.on(.get, "/old", .redirect(to: "/file"))
    let session = try open()
    try await session.start(server.url.appending(path: "old"), named: "one")
    #expect(try await session.result(of: "one").get().byteCount == 100_000)
    await session.close()
  }

  @Test func `the delay before another attempt uses the injected clock`() async throws {
    server.on(.get, "/file", .status(503, headers: ["Retry-After": "30"]), .data(file.data))
    let clock = ManualClock()
    let session = try open {
      $0.client = FetchClient {
        $0.retry = RetryPolicy(maxAttempts: 2)
        $0.clock = clock
      }
    }
    try await session.start(url, named: "one")
    // The other sleep is the one before the journal is synced.
    await clock.sleepers(atLeast: 2)
    #expect(await session.task(named: "one")?.state == .waitingToRetry)
    #expect(Set(clock.sleeps) == [.seconds(5), .seconds(30)])
    clock.advance(by: .seconds(30))
    #expect(try await session.result(of: "one").get().byteCount == 100_000)
    await session.close()
  }

  @Test(arguments: [403, 429], [false, true])
  func `a download waits until the end of a rate limit, for which no provider is called`(
    status: Int, hasProvider: Bool
  ) async throws {
    let headers: HTTPHeaders = ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1000000030"]
    server.on(.get, "/file", .status(status, headers: headers), .data(file.data))
    let clock = ManualClock()
    let session = try open {
      $0.client = FetchClient {
        $0.retry = RetryPolicy(maxAttempts: 2)
        $0.clock = clock
        $0.date = { Date(timeIntervalSince1970: 1_000_000_000) }
      }
      guard hasProvider else { return }
      $0.provider = { task, refused in
        #expect(refused == nil)
        return task.request
      }
    }
    try await session.start(url, named: "one")
    // The other sleep is the one before the journal is synced.
    await clock.sleepers(atLeast: 2)
    #expect(Set(clock.sleeps) == [.seconds(5), .seconds(30)])
    clock.advance(by: .seconds(30))
    #expect(try await session.result(of: "one").get().byteCount == 100_000)
    await session.close()
  }

  @Test func `a cancelled download fails, and a forgotten one leaves no trace`() async throws {
    let gate = LoopbackGate()
    server.on(.get, "/slow") { [file] in file.answer($0).held(at: gate, after: .body(bytes: 10)) }
    let session = try open()
    let slow = server.url.appending(path: "slow")
    for name in ["cancelled", "forgotten"] { try await session.start(slow, named: name) }
    await server.requests(atLeast: 2)
    try await session.cancel("cancelled")
    #expect(try await session.result(of: "cancelled") == .failure(.cancelled))
    let waiting = Task { try await session.result(of: "forgotten") }
    try await session.remove("forgotten")
    await #expect(throws: DownloadSessionError.unknownDownload(name: "forgotten")) { try await waiting.value }
    await #expect(throws: DownloadSessionError.unknownDownload(name: "forgotten")) {
      try await session.resume("forgotten")
    }
    #expect(await session.tasks().map(\.name) == ["cancelled"])
    await session.close()
    await #expect(throws: DownloadSessionError.closed) { try await session.start(slow, named: "late") }
    #expect(try parts().isEmpty)
    gate.open()
  }

  @Test func `a wait for a download's result ends with its task, and the download continues`() async throws {
    let gate = LoopbackGate()
    server.on(.get, "/slow") { [file] in file.answer($0).held(at: gate) }
    let session = try open { $0.client = FetchClient { $0.timeouts = Timeouts(connect: nil, idle: nil, total: nil) } }
    try await session.start(server.url.appending(path: "slow"), named: "one")
    let started = AsyncStream.makeStream(of: Void.self)
    // One is cancelled before it waits, the other most likely during its wait.
    for waits in [false, true] {
      let waiting = Task {
        started.continuation.yield()
        if !waits { _ = await eventually { Task.isCancelled } }
        return try await session.result(of: "one")
      }
      for await _ in started.stream { break }
      for _ in 0..<(waits ? 1000 : 0) { await Task.yield() }
      waiting.cancel()
      await #expect(throws: DownloadSessionError.cancelled) { try await waiting.value }
    }
    gate.open()
    #expect(try await session.result(of: "one").get().byteCount == 100_000)
    #expect(server.requests.count == 1)
    await session.close()
  }

  @Test func `a request that cannot be downloaded is refused when it is started`() async throws {
    let session = try open()
    await #expect(throws: DownloadSessionError.emptyName) { try await session.start(url, named: "") }
    await #expect(throws: DownloadSessionError.invalidRequest(reason: "only a GET can be downloaded")) {
      try await session.start(HTTPRequest(.post, url), named: "x")
    }
    await #expect(throws: DownloadSessionError.self) { try await session.start("ftp://example.com/x", named: "x") }
    await #expect(throws: DownloadSessionError.self) { try await session.start("no url", named: "x") }
    #expect(await session.tasks().isEmpty)
    await session.close()
    #expect(throws: DownloadSessionError.emptyName) { try DownloadSession(identifier: "", directory: scratch.url) }
  }

  @Test func `download names of any kind stay inside the folder, and orphaned files are removed`() async throws {
    let session = try open()
    for name in ["../../up", "/etc/passwd", "..", "a\u{0}b", String(repeating: "long", count: 500)] {
      try await session.start(url, named: name)
      let downloaded = try await session.result(of: name).get()
      let folder = downloaded.url.standardizedFileURL.deletingLastPathComponent()
      #expect(folder.path == session.filesDirectory.standardizedFileURL.path)
    }
    await session.close()
    let parts = scratch.url.appending(path: "test/Parts")
    try Data("x".utf8).write(to: parts.appending(path: "99.part"))
    try Data("x".utf8).write(to: parts.appending(path: "other"))
    // A file that cannot be removed does no harm.
    try FileManager.default.createDirectory(at: parts.appending(path: "folder"), withIntermediateDirectories: false)
    let again = try open()
    #expect(try FileManager.default.contentsOfDirectory(atPath: parts.path) == ["folder"])
    await again.close()
  }

  @Test func `a released download session closes itself`() async throws {
    var session: DownloadSession? = try open()
    let events = try #require(session).events(endsWhenIdle: false)
    session = nil
    // It ends with the session.
    for await _ in events {}
    #expect(session == nil)
  }

  // MARK: The end of the events

  @Test(arguments: [DownloadSession.Durability.periodic, .beforeEvent])
  func `a session's events end when every download has ended and its event was delivered`(
    durability: DownloadSession.Durability
  ) async throws {
    let session = try open { $0.durability = durability }
    for await event in session.events { Issue.record("\(event.name) in an empty session") }
    try await session.start(url, named: "one")
    try await session.start(server.url.appending(path: "gone"), named: "two")
    var names: [String] = []
    for await event in session.events {
      if names.isEmpty { try await session.start(url, named: "added by the loop") }
      names.append(event.name)
      if event.name == "one" { event.done() }
    }
    #expect(names.sorted() == ["added by the loop", "one", "two"])
    // They were delivered, although not all of them were acknowledged.
    for await event in session.events { Issue.record("\(event.name) was delivered twice") }
    await session.close()
  }

  @Test func `a download that waits for its next attempt keeps the events from ending, and a paused one does not`()
    async throws
  {
    let gate = LoopbackGate()
    defer { gate.open() }
    server.on(.get, "/busy", .status(503, headers: ["Retry-After": "30"]), .data(file.data))
    server.on(.get, "/slow") { [file] in file.answer($0).held(at: gate) }
    let clock = ManualClock()
    let session = try open {
      $0.client = FetchClient {
        $0.retry = RetryPolicy(maxAttempts: 2)
        $0.clock = clock
      }
    }
    try await session.start(server.url.appending(path: "busy"), named: "busy")
    let names = Task {
      var names: [String] = []
      for await event in session.events { names.append(event.name) }
      return names
    }
    await clock.sleepers(atLeast: 2)
    #expect(await eventually { await session.task(named: "busy")?.state == .waitingToRetry })
    clock.advance(by: .seconds(30))
    #expect(await names.value == ["busy"])

    try await session.start(server.url.appending(path: "slow"), named: "slow")
    let none = Task { for await event in session.events { Issue.record("\(event.name)") } }
    try await session.pause("slow")
    await none.value
    await session.close()
  }

  @Test func `each event is delivered to one of several readers, and all of their sequences end`() async throws {
    let session = try open()
    for number in 0..<20 { try await session.start(url, named: "\(number)") }
    let names = await withTaskGroup(of: [String].self) { group in
      for _ in 0..<3 {
        group.addTask {
          var names: [String] = []
          for await event in session.events { names.append(event.name) }
          return names
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(names.count == 20 && Set(names).count == 20)
    await session.close()
  }

  @Test func `events that do not end when idle go on until the session is closed`() async throws {
    let session = try open()
    let seen = Events()
    let reading = Task {
      var names: [String] = []
      for await event in session.events(endsWhenIdle: false) {
        names.append(event.name)
        event.done()
        await seen.add()
      }
      return names
    }
    for (number, name) in ["one", "two"].enumerated() {
      try await session.start(url, named: name)
      await seen.wait(for: number + 1)
      // An idle session ends the sequences of others only.
      for await event in session.events { Issue.record("\(event.name) was delivered twice") }
    }
    await session.close()
    #expect(await reading.value == ["one", "two"])
  }

  @Test func `the events of a suspended session wait for what continues after its resumption`() async throws {
    let gate = LoopbackGate()
    server.on(.get, "/slow") { [file] in file.answer($0).held(at: gate) }
    let session = try open()
    try await session.start(server.url.appending(path: "slow"), named: "slow")
    await server.requests(atLeast: 1)
    await session.suspend()
    let names = Task {
      var names: [String] = []
      for await event in session.events { names.append(event.name) }
      return names
    }
    gate.open()
    try await session.resume()
    #expect(await names.value == ["slow"])
    await session.close()
  }
}
