import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

@testable import FetchKit

/// A client ends its fetches wherever they wait, and accepts no more once it is shut down.
@Suite(.timeLimit(.minutes(10))) struct ShutdownTests {
  /// A transport that the client knows nothing about.
  private struct Foreign: Transport {
    let base: any Transport
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
      try await base.send(request)
    }
  }

  enum Place: CaseIterable {
    case server, body, upload, interceptor, turn, rateLimit, retry, coalesced, readStream, unreadStream, eventStream
  }

  private static var retry: RetryPolicy {
    var policy = RetryPolicy(maxAttempts: 2)
    policy.baseDelay = .seconds(60)
    return policy
  }

  let server: LoopbackServer
  let gate = LoopbackGate()
  let clock = ManualClock()

  init() throws {
    server = try LoopbackServer()
    server.on("/quick", .text("x"))
    server.on("/head", LoopbackResponse.text("x").held(at: gate))
    server.on(
      "/body", LoopbackResponse(body: .repeated(Data("ab".utf8), count: 2)).held(at: gate, after: .body(bytes: 2)))
    server.on("/busy", .status(503))
    server.on(
      "/events", LoopbackResponse(headers: ["Content-Type": "text/event-stream"], body: .data(Data("data: a\n\n".utf8)))
    )
  }

  private func url(_ path: String) -> URL { server.url.appending(path: path) }

  private func client(
    _ transport: any Transport = TransportUnderTest.allCases[0].transport,
    _ change: (inout FetchClient.Configuration) -> Void = { _ in }
  ) -> FetchClient {
    FetchClient {
      $0.transport = transport
      $0.timeouts = Timeouts(connect: nil, idle: nil, total: nil)
      change(&$0)
    }
  }

  /// Starts fetches that wait at the place, and returns when they do.
  private func start(_ place: Place, _ transport: any Transport) async throws -> (FetchClient, [Task<Void, any Error>])
  {
    let client = client(transport) {
      switch place {
      case .turn: $0.concurrency = ConcurrencyLimits(perHost: 1)
      case .rateLimit: ($0.rateLimit, $0.clock) = (RateLimit(1, per: .seconds(60)), clock)
      case .retry: ($0.retry, $0.clock) = (Self.retry, clock)
      case .eventStream: $0.clock = clock
      case .coalesced: $0.coalescesRequests = true
      case .interceptor: $0.interceptors = [InterceptorTests.Hangs()]
      default: break
      }
    }
    func fetch(_ path: String) -> Task<Void, any Error> { Task { try await client.fetch(url(path), .void) } }
    let count = server.requests.count
    var tasks: [Task<Void, any Error>] = []
    switch place {
    case .server:
      tasks = [fetch("head"), fetch("head")]
      await server.requests(atLeast: count + 2)
    case .body:
      tasks = [fetch("body")]
      await server.requests(atLeast: count + 1)
    case .upload:
      let pieces = AsyncStream<Data> { $0.yield(Data(count: 10)) }
      tasks = [Task { try await client.fetch(HTTPRequest(.post, url("quick"), body: .oneShot(pieces)), .void) }]
      #expect(await eventually { client.pipeline.limiter.runningCount == 1 })
    case .interceptor:
      tasks = [fetch("quick")]
      #expect(await eventually { client.pipeline.open.count == 1 })
    case .turn:
      tasks = [fetch("head")]
      await server.requests(atLeast: count + 1)
      tasks.append(fetch("quick"))
      #expect(await eventually { client.pipeline.limiter.waitingCount == 1 })
    case .rateLimit:
      try await client.fetch(url("quick"), .void)
      tasks = [fetch("quick")]
      await clock.sleepers(atLeast: 1)
    case .retry:
      tasks = [fetch("busy")]
      await clock.sleepers(atLeast: 1)
    case .coalesced:
      tasks = [fetch("head"), fetch("head")]
      #expect(await eventually { client.pipeline.coalescer?.memberCount == 2 })
      await server.requests(atLeast: count + 1)
    case .readStream:
      let stream = try await client.stream(url("body"))
      let (begun, reading) = AsyncStream.makeStream(of: Void.self)
      tasks = [Task { for try await _ in stream { reading.yield() } }]
      for await _ in begun { break }
    case .unreadStream:
      let stream = try await client.stream(url("body"))
      tasks = [
        Task {
          #expect(await eventually { client.pipeline.open.count == 0 })
          for try await _ in stream {}
        }
      ]
    case .eventStream:
      tasks = [Task { for try await _ in client.events(url("events")) {} }]
      await clock.sleepers(atLeast: 1)
    }
    return (client, tasks)
  }

  @Test(arguments: TransportUnderTest.allCases, Place.allCases)
  func `cancelling everything ends a fetch wherever it waits, and no later one`(
    kind: TransportUnderTest, place: Place
  ) async throws {
    defer { gate.open() }
    for transport in [kind.transport, Foreign(base: kind.transport)] {
      let (client, tasks) = try await start(place, transport)
      #expect(client.cancelAll() == tasks.count)
      for task in tasks {
        let error = await #expect(throws: FetchError.self) { try await task.value }
        #expect(error?.word == "cancelled", "\(place)")
      }
      #expect(client.cancelAll() == 0)
      if place != .rateLimit, place != .interceptor { try await client.fetch(url("quick"), .void) }
      #expect(
        await eventually { client.pipeline.limiter.runningCount + client.pipeline.streamLimiter.runningCount == 0 })
    }
  }

  @Test func `a fetch that begins during a cancellation is not joined to one that was cancelled`() async throws {
    let client = client { $0.coalescesRequests = true }
    for _ in 0..<50 {
      let gate = LoopbackGate()
      server.on("/shared", LoopbackResponse.text("x").held(at: gate))
      let count = server.requests.count
      let old = Task { try await client.fetch(url("shared"), .void) }
      await server.requests(atLeast: count + 1)
      client.cancelAll()
      let new = Task { try await client.fetch(url("shared"), .string) }
      await #expect(throws: FetchError.self) { try await old.value }
      gate.open()
      #expect(try await new.value == "x")
    }
  }

  @Test func `an interceptor cannot repeat a fetch that was cancelled`() async throws {
    struct Stubborn: Interceptor {
      let begun: AsyncStream<Void>.Continuation
      func decide(after error: FetchError, of request: HTTPRequest, attempt: Int) async throws -> RetryDecision {
        begun.yield()
        return .retry(after: .zero)
      }
    }
    defer { gate.open() }
    let (asked, begun) = AsyncStream.makeStream(of: Void.self)
    let client = client { $0.interceptors = [Stubborn(begun: begun)] }
    let task = Task { try await client.fetch(url("head"), .void) }
    await server.requests(atLeast: 1)
    client.cancelAll()
    let error = await #expect(throws: FetchError.self) { try await task.value }
    #expect(error?.word == "cancelled" && server.requests.count == 1)
    withExtendedLifetime(asked) {}
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `shutting down lets what is in progress end, with its retries, and refuses the rest`(
    kind: TransportUnderTest
  ) async throws {
    server.on("/twice") { [server, gate] _ in
      server.requests.filter { $0.path == "/twice" }.count == 1
        ? LoopbackResponse.status(503).held(at: gate) : .text("second")
    }
    let client = client(kind.transport) { $0.retry = RetryPolicy(maxAttempts: 2) }
    let task = Task { try await client.fetch(url("twice"), .string) }
    await server.requests(atLeast: 1)
    let end = Task { await client.shutdown(within: .seconds(60)) }
    var refused: FetchError?
    #expect(
      await eventually {
        do throws(FetchError) { try await client.fetch(url("quick"), .void) } catch { refused = error }
        return refused != nil
      })
    #expect(refused?.word == "shutDown")
    #expect(refused?.description == "GET \(url("quick").absoluteString): the client was shut down")
    gate.open()
    #expect(try await task.value == "second")
    #expect(await end.value == 0)
    await #expect(throws: FetchError.self) { try await client.stream(url("quick")) }
    var events = client.events(url("events")).makeAsyncIterator()
    let error = await #expect(throws: FetchError.self) { try await events.next() }
    #expect(error?.word == "shutDown")
    #expect(await client.shutdown(within: .zero) == 0)
  }

  @Test func `shutting down cancels what takes too long, even a stream that no one reads`() async throws {
    defer { gate.open() }
    let client = client { $0.clock = clock }
    let stream = try await client.stream(url("body"))
    let task = Task { try await client.fetch(url("head"), .void) }
    await server.requests(atLeast: 2)
    let end = Task { await client.shutdown(within: .seconds(20)) }
    await clock.sleepers(atLeast: 1)
    #expect(clock.sleeps == [.seconds(20)])
    clock.advance(by: .seconds(20))
    #expect(await end.value == 2)
    let error = await #expect(throws: FetchError.self) { try await task.value }
    #expect(error?.word == "cancelled")
    await #expect(throws: FetchError.self) { for try await _ in stream {} }
  }

  @Test func `cancelling the task that shuts down cancels what is left`() async throws {
    defer { gate.open() }
    let client = client()
    let task = Task { try await client.fetch(url("head"), .void) }
    await server.requests(atLeast: 1)
    let ends = (0..<3).map { _ in Task { await client.shutdown(within: .seconds(3600)) } }
    ends[1].cancel()
    await #expect(throws: FetchError.self) { try await task.value }
    var cancelled = 0
    for end in ends { cancelled += await end.value }
    #expect(cancelled == 1)
  }

  @Test func `a download goes on when its client is shut down`() async throws {
    let scratch = try Scratch()
    let client = client()
    let session = try DownloadSession(identifier: "shutdown", directory: scratch.url) { $0.client = client }
    let download = try await session.start(url("body"), named: "kept")
    await server.requests(atLeast: 1)
    #expect(await client.shutdown(within: .zero) == 0)
    gate.open()
    #expect(try await Data(contentsOf: session.result(of: "kept").get().url) == Data("abab".utf8))
    withExtendedLifetime(download) {}
    await session.close()
  }

  @Test func `cancelling at any moment loses no fetch`() async throws {
    server.on("/any", .text("x"))
    let client = client {
      $0.concurrency = ConcurrencyLimits(perHost: 4)
      $0.coalescesRequests = true
    }
    let canceller = Task {
      while !Task.isCancelled {
        client.cancelAll()
        await Task.yield()
      }
    }
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<400 {
        group.addTask {
          let url = url("any").appending(queryItems: [URLQueryItem(name: "n", value: "\(index % 50)")])
          do throws(FetchError) {
            if index.isMultiple(of: 3) {
              for try await _ in try await client.stream(url) {}
            } else {
              #expect(try await client.fetch(url, .string) == "x")
            }
          } catch { #expect(error.word == "cancelled") }
        }
      }
    }
    canceller.cancel()
    await canceller.value
    #expect(await eventually { client.pipeline.limiter.runningCount + client.pipeline.streamLimiter.runningCount == 0 })
    #expect(client.pipeline.coalescer?.isEmpty == true)
    #expect(client.cancelAll() == 0)
  }

  @Test(arguments: [false, true])
  func `cancelling everything ends the refresh of a stored response, and shutting down begins none`(
    coalesces: Bool
  ) async throws {
    let gate = LoopbackGate()
    server.on("/stale") { [server] _ in
      let answer = LoopbackResponse(
        headers: ["Cache-Control": "max-age=0, stale-while-revalidate=600"], body: .data(Data("x".utf8)))
      return server.requests.filter { $0.path == "/stale" }.count == 1 ? answer : answer.held(at: gate)
    }
    let cache = HTTPCache()
    let client = client {
      $0.cache = cache
      $0.coalescesRequests = coalesces
    }
    for _ in 0..<2 { #expect(try await client.fetch(url("stale"), .string) == "x") }
    await server.requests(atLeast: 2)
    #expect(client.cancelAll() == 1)
    await cache.waitUntilIdle()
    #expect(await client.shutdown(within: .zero) == 0)
    gate.open()
  }

  @Test func `a stubbed stream ends with its client, read or not`() async throws {
    let gate = LoopbackGate()
    let held = LoopbackResponse.text("abcd").held(at: gate, after: .body(bytes: 2))
    let stub = StubTransport(simulating: { _ in held })
    let client = client(stub)
    let address = try #require(URL(string: "https://example.org/held"))
    let unread = try await client.stream(address)
    let read = try await client.stream(address)
    let (begun, reading) = AsyncStream.makeStream(of: Void.self)
    let task = Task { for try await _ in read { reading.yield() } }
    for await _ in begun { break }
    #expect(client.cancelAll() == 2)
    await #expect(throws: FetchError.self) { try await task.value }
    await #expect(throws: FetchError.self) { for try await _ in unread {} }
    gate.open()
  }

  @Test func `a caller that leaves a shared run no longer counts`() async throws {
    defer { gate.open() }
    let client = client { $0.coalescesRequests = true }
    let first = Task { try await client.fetch(url("head"), .void) }
    await server.requests(atLeast: 1)
    let second = Task { try await client.fetch(url("head"), .void) }
    #expect(await eventually { client.pipeline.coalescer?.memberCount == 2 })
    first.cancel()
    await #expect(throws: FetchError.self) { try await first.value }
    #expect(client.cancelAll() == 1)
    await #expect(throws: FetchError.self) { try await second.value }
  }

  @Test func `an event stream counts once, and ends while it is read`() async throws {
    server.on(
      "/open",
      LoopbackResponse(
        headers: ["Content-Type": "text/event-stream"], body: .repeated(Data("data: a\n\n".utf8), count: 2)
      ).held(at: gate, after: .body(bytes: 9)))
    defer { gate.open() }
    let client = client()
    let (begun, reading) = AsyncStream.makeStream(of: Void.self)
    let task = Task { for try await _ in client.events(url("open")) { reading.yield() } }
    for await _ in begun { break }
    #expect(client.cancelAll() == 1)
    let error = await #expect(throws: FetchError.self) { try await task.value }
    #expect(error?.word == "cancelled")
  }

  @Test func `a stream that was cancelled fails once, and an event stream that has ended no longer counts`()
    async throws
  {
    defer { gate.open() }
    let client = client()
    let stream = try await client.stream(url("body"))
    var chunks = stream.makeAsyncIterator()
    client.cancelAll()
    await #expect(throws: FetchError.self) { try await chunks.next() }
    #expect(try await chunks.next() == nil)
    var events = client.events(url("events"), reconnection: ReconnectionPolicy.never).makeAsyncIterator()
    #expect(try await events.next()?.data == "a")
    #expect(client.pipeline.open.count == 1)
    #expect(try await events.next() == nil)
    #expect(client.cancelAll() == 0)
    withExtendedLifetime((stream, events)) {}
  }
}
