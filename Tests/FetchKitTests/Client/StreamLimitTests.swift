import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

@testable import FetchKit

/// Streams have limits of their own: they wait for each other, and nothing else waits for them.
@Suite(.timeLimit(.minutes(10))) struct StreamLimitTests {
  enum Kind: CaseIterable {
    case unread, partlyRead, answerToUpload, events, download
  }

  let server: LoopbackServer
  let gate = LoopbackGate()
  let scratch: Scratch

  init() throws {
    server = try LoopbackServer()
    scratch = try Scratch()
    let events = Data("data: a\n\n".utf8)
    var held = LoopbackResponse(headers: ["Content-Type": "text/event-stream"])
    held.body = .repeated(events, count: 2)
    server.on("/held", held.held(at: gate, after: .body(bytes: events.count)))
    server.on("/short", .text("x"))
  }

  private var held: URL { server.url.appending(path: "held") }

  private func short(_ path: String = "short", _ priority: RequestPriority = .normal) -> HTTPRequest {
    var request = HTTPRequest(.get, server.url.appending(path: path))
    request.options.timeouts = Timeouts(connect: nil, idle: nil, total: .seconds(20))
    request.options.priority = priority
    return request
  }

  @Test(arguments: TransportUnderTest.allCases, Kind.allCases)
  func `open streams of any kind delay no request to the same host`(transport: TransportUnderTest, kind: Kind)
    async throws
  {
    defer { gate.open() }
    let client = FetchClient { $0.transport = transport.transport }
    let session = try DownloadSession(identifier: "streams", directory: scratch.url) {
      $0.client = client
      $0.maxConcurrentDownloads = 8
    }
    var open: [any Sendable] = []
    for number in 0..<6 {
      switch kind {
      case .unread: open.append(try await client.stream(held))
      case .partlyRead:
        let stream = try await client.stream(held)
        var chunks = stream.makeAsyncIterator()
        #expect(try await chunks.next() != nil)
        open.append(stream)
      case .answerToUpload:
        open.append(try await client.stream(HTTPRequest(.post, held, body: .data(Data(count: 1000)))))
      case .events:
        var events = client.events(held).makeAsyncIterator()
        #expect(try await events.next()?.data == "a")
        open.append(Kept(events))
      case .download: try await session.start(held, named: "\(number)")
      }
    }
    await server.requests(atLeast: 6)
    try await withThrowingTaskGroup { group in
      for _ in 0..<20 { group.addTask { try await client.fetch(short(), .void) } }
      try await group.waitForAll()
    }
    #expect(client.pipeline.streamLimiter.runningCount == 6)
    await session.close()
    withExtendedLifetime(open) {}
  }

  /// Keeps an iterator that is not Sendable.
  private final class Kept: @unchecked Sendable {
    private let iterator: EventStream.AsyncIterator

    init(_ iterator: EventStream.AsyncIterator) { self.iterator = iterator }
  }

  @Test func `streams that wait for their turn go by priority, beside requests that do not wait`() async throws {
    for path in ["/low", "/normal", "/high"] { server.on(path, .text("x")) }
    let client = FetchClient { $0.concurrency = ConcurrencyLimits(streams: 1) }
    var first: FetchStream? = try await client.stream(held)
    let limiter = client.pipeline.streamLimiter
    var tasks: [Task<Void, any Error>] = []
    for (path, priority) in [("low", RequestPriority.low), ("normal", .normal), ("high", .high)] {
      tasks.append(Task { for try await _ in try await client.stream(short(path, priority)) {} })
      let count = tasks.count
      #expect(await eventually { limiter.waitingCount == count })
    }
    try await client.fetch(short(), .void)
    withExtendedLifetime(first) {}
    first = nil
    for task in tasks { try await task.value }
    #expect(server.requests.map(\.path) == ["/held", "/short", "/high", "/normal", "/low"])
  }

  @Test func `a stream that waits for its turn ends at its total timeout, or when it is cancelled`() async throws {
    let clock = ManualClock()
    let client = FetchClient {
      $0.clock = clock
      $0.concurrency = ConcurrencyLimits(streamsPerHost: 1)
    }
    let first = try await client.stream(held)
    let late = Task { try await client.stream(short()) }
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(20))
    let error = await #expect(throws: FetchError.self) { try await late.value }
    guard case .timeout(.total, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    let events = Task { for try await _ in client.events(held) {} }
    #expect(await eventually { client.pipeline.streamLimiter.waitingCount == 1 })
    events.cancel()
    await #expect(throws: FetchError.self) { try await events.value }
    #expect(server.requests.count == 1)
    withExtendedLifetime(first) {}
  }

  @Test func `a stream gives its place to the next one at its end, its error, its cancellation and its release`()
    async throws
  {
    server.on("/cut", LoopbackResponse(body: .repeated(Data(count: 1000), count: 100)).cut(after: .body(bytes: 5000)))
    server.on("/no", .status(404))
    let client = FetchClient { $0.concurrency = ConcurrencyLimits(streamsPerHost: 1) }
    /// The stream is still referenced when the next one has to begin.
    func next(after stream: FetchStream?) async throws {
      let next = try await client.stream(short())
      #expect(next.response.status == 200)
      withExtendedLifetime(stream) {}
    }
    let read = try await client.stream(short())
    for try await _ in read {}
    try await next(after: read)

    let broken = try await client.stream(server.url.appending(path: "cut"))
    await #expect(throws: FetchError.self) { for try await _ in broken {} }
    try await next(after: broken)

    let cancelled = try await client.stream(held)
    let (begun, reading) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      for try await _ in cancelled { reading.yield() }
    }
    for await _ in begun { break }
    task.cancel()
    await #expect(throws: FetchError.self) { try await task.value }
    try await next(after: cancelled)

    _ = try await client.stream(held)
    try await next(after: nil)
    for try await _ in try await client.stream(held) { break }
    try await next(after: nil)
    await #expect(throws: FetchError.self) { _ = try await client.stream(server.url.appending(path: "no")) }
    try await next(after: nil)
    for try await _ in client.events(held) { break }
    try await next(after: nil)
    #expect(client.pipeline.streamLimiter.runningCount == 0)
  }
}
