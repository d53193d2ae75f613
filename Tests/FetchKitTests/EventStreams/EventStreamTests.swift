import FetchKit
import FetchKitTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct EventStreamTests {
  private let server: LoopbackServer
  private let clock = ManualClock()
  private let client: FetchClient
  private let url: URL

  init() throws {
    server = try LoopbackServer()
    url = server.url.appending(path: "events")
    client = FetchClient { [clock] in
      $0.clock = clock
      $0.random = { 0.5 }
      $0.retry = .standard
    }
  }

  private static func events(_ text: String, type: String = "text/event-stream") -> LoopbackResponse {
    LoopbackResponse(headers: ["Content-Type": type], body: .data(Data(text.utf8))).chunked(size: 7)
  }

  /// Reads to the end, without waiting between connections.
  private func all(sleeps: Int) async throws -> [ServerSentEvent] {
    let stream = client.events(url)
    let reading = Task {
      var events: [ServerSentEvent] = []
      for try await event in stream { events.append(event) }
      return events
    }
    for _ in 0..<sleeps {
      await clock.sleepers(atLeast: 1)
      clock.advance(by: clock.sleeps.last ?? .zero)
    }
    return try await reading.value
  }

  @Test func `an event stream reconnects with its last id and retry time until a 204 ends it`()
    async throws
  {
    server.on(
      "/events", Self.events("id: 1\ndata: a\n\ndata: half"), Self.events("retry: 200\ndata: b\n\n"), Self.events(""),
      .status(204))
    let events = try await all(sleeps: 3)
    #expect(events == [ServerSentEvent(data: "a", lastEventID: "1"), ServerSentEvent(data: "b", lastEventID: "1")])
    #expect(clock.sleeps == [.seconds(1.5), .seconds(1.5), .seconds(3)])
    let requests = server.requests
    #expect(requests.map { $0.headers["Last-Event-ID"] } == [nil, "1", "1", "1"])
    #expect(requests.allSatisfy { $0.headers["Accept"] == "text/event-stream" })
    #expect(requests.allSatisfy { $0.headers["Cache-Control"] == "no-store" })
    server.stop()
  }

  @Test func `an event stream reconnects after a lost connection, with growing delays`() async throws {
    server.on("/events", Self.events("data: a\n\ndata: b\n\n").cut(after: .body(bytes: 24), by: .reset), .status(204))
    server.breakNextConnections(.reset, .reset, .reset)
    let events = try await all(sleeps: 4)
    #expect(events.first == ServerSentEvent(data: "a"))
    #expect(clock.sleeps == [.seconds(1.5), .seconds(3), .seconds(6), .seconds(1.5)])
    server.stop()
  }

  @Test(arguments: [
    (LoopbackResponse.status(404), "status 404"), (.status(501), "status 501"), (.json("{}"), "not an event stream"),
    (Self.events("data: a\n\n", type: "text/event-streams"), "not an event stream"),
    (LoopbackResponse(status: 206, headers: ["Content-Type": "text/event-stream"]), "not an event stream"),
  ])
  func `a response that is not an event stream ends the stream and is not retried`(
    response: LoopbackResponse, reason: String
  ) async throws {
    server.on("/events", response)
    let error = await #expect(throws: FetchError.self) { try await all(sleeps: 0) }
    #expect(error?.description.contains(reason) == true)
    #expect(server.requests.count == 1)
    server.stop()
  }

  @Test func `a non-ASCII last event id is sent back unchanged`() async throws {
    server.on("/events", Self.events("id: ü😀\ndata: a\n\n"), .status(204))
    #expect(try await all(sleeps: 1).map(\.lastEventID) == ["ü😀"])
    #expect(server.requests.last?.headers["Last-Event-ID"] == "ü😀")
    server.stop()
  }

  @Test func `an event stream's content type may have parameters and any case`() async throws {
    server.on("/events", Self.events("data: a\n\n", type: "Text/Event-Stream ; charset=utf-8"), .status(204))
    #expect(try await all(sleeps: 1).count == 1)
    server.stop()
  }

  @Test func `an event that exceeds the size limit fails the stream`() async throws {
    server.on(
      "/events",
      LoopbackResponse(
        headers: ["Content-Type": "text/event-stream"], body: .repeated(Data("data: x".utf8), count: 200_000)))
    let error = await #expect(throws: FetchError.self) { try await all(sleeps: 0) }
    guard case .tooLarge(.body, EventStream.maxEventSize, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    server.stop()
  }

  @Test func `cancelling closes an event stream's connection while it reads and while it waits`() async throws {
    let gate = LoopbackGate()
    server.on("/events", Self.events("data: a\n\n: more\n").held(at: gate, after: .body(bytes: 20)))
    let seen = Events()
    let reading = Task {
      for try await _ in client.events(url) { await seen.add() }
    }
    await seen.wait(for: 1)
    reading.cancel()
    let error = await #expect(throws: FetchError.self) { try await reading.value }
    guard case .cancelled = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    await server.allConnectionsClosed()

    server.on("/events", Self.events("data: a\n\n"))
    let waiting = Task {
      for try await _ in client.events(url) {}
    }
    await clock.sleepers(atLeast: 1)
    waiting.cancel()
    await #expect(throws: FetchError.self) { try await waiting.value }
    gate.open()
    server.stop()
  }

  @Test func `the first event reports a request that cannot be built`() async throws {
    var iterator = client.events("no url").makeAsyncIterator()
    await #expect(throws: FetchError.self) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
  }

  private func post(_ reconnection: ReconnectionPolicy? = nil) -> EventStream {
    client.events(HTTPRequest(.post, url, body: .data(Data("ask".utf8))), reconnection: reconnection)
  }

  private func read(_ stream: EventStream, into events: inout [String]) async throws {
    for try await event in stream { events.append(event.data) }
  }

  @Test func `the stream of a POST request is asked for once, and ends when the response ends`() async throws {
    server.on("/events", Self.events("id: 1\ndata: a\n\ndata: b\n\n"))
    var events: [String] = []
    try await read(post(), into: &events)
    #expect(events == ["a", "b"])
    #expect(server.requests.count == 1 && clock.sleeps.isEmpty)
    server.stop()
  }

  @Test func `the broken stream of a POST request throws with the last event id and is not asked for again`()
    async throws
  {
    server.on("/events", Self.events("id: 7\ndata: a\n\ndata: b\n\n").cut(after: .body(bytes: 40), by: .reset))
    var events: [String] = []
    let error = await #expect(throws: FetchError.self) { try await read(post(), into: &events) }
    #expect(error?.context.lastEventID == "7" && events.first == "a")
    #expect(server.requests.count == 1 && clock.sleeps.isEmpty)
    server.breakNextConnections(.reset)
    let unsent = await #expect(throws: FetchError.self) { try await read(post(), into: &events) }
    #expect(unsent?.context.lastEventID == nil && clock.sleeps.isEmpty)
    server.stop()
  }

  @Test func `the stream of a POST request reconnects if that is asked for`() async throws {
    server.on("/events", Self.events("id: 1\ndata: a\n\n"), .status(204))
    let reading = Task { [stream = post(ReconnectionPolicy())] in
      var events: [String] = []
      for try await event in stream { events.append(event.data) }
      return events
    }
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(3))
    #expect(try await reading.value == ["a"])
    #expect(server.requests.map(\.method) == ["POST", "POST"])
    #expect(server.requests.map { $0.headers["Last-Event-ID"] } == [nil, "1"])
    server.stop()
  }

  @Test func `a server's retry time is a minimum, and the delay grows with each connection without an event`()
    async throws
  {
    server.on(
      "/events", Self.events("retry: 2000\ndata: a\n\n"), Self.events("data: b\n\n"),
      Self.events(": a comment\n\n"), Self.events("data: half"),
      LoopbackResponse(headers: ["Content-Type": "text/event-stream"], body: .data(Data())), .status(204))
    #expect(try await all(sleeps: 5).map(\.data) == ["a", "b"])
    #expect(clock.sleeps == [2, 2, 3, 6, 12].map { .seconds($0) })
    server.stop()
  }

  // MARK: Silence

  /// A client on a simulated server, all on the manual clock.
  private func simulated(_ responses: LoopbackResponse...) -> (FetchClient, StubTransport) {
    let left = Lock(responses)
    let stub = StubTransport(
      simulating: { _ in left.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } }, clock: clock)
    let client = FetchClient { [clock] in
      $0.transport = stub
      $0.clock = clock
      $0.random = { 0.5 }
    }
    return (client, stub)
  }

  /// Sends one event and is silent from then on.
  private static let silent = events("id: 3\ndata: a\n\ndata: b\n\n").cut(after: .body(bytes: 32), by: .stall)

  @Test func `a stream that is silent for longer than its idle timeout reconnects after its last event`() async throws {
    let (client, stub) = simulated(Self.silent, .status(204))
    let reading = Task { [url] in
      var events: [String] = []
      for try await event in client.events(url, idle: .seconds(40)) { events.append(event.data) }
      return events
    }
    for delay in [40, 1.5] {
      await clock.sleepers(atLeast: 1)
      #expect(clock.sleeps.last == .seconds(delay))
      clock.advance(by: .seconds(delay))
    }
    #expect(try await reading.value == ["a"])
    #expect(stub.requests.map { $0.headers["Last-Event-ID"] } == [nil, "3"])
  }

  @Test func `a silent stream that does not reconnect throws with its last event id`() async throws {
    let (client, stub) = simulated(Self.silent)
    let reading = Task { [url] in
      for try await _ in client.events(HTTPRequest(.post, url), idle: .seconds(40)) {}
    }
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(40))
    let error = await #expect(throws: FetchError.self) { try await reading.value }
    guard case .timeout(.idle, let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.lastEventID == "3" && stub.requests.count == 1)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `every transport notices a silent event stream`(transport: TransportUnderTest) async throws {
    server.on("/events", Self.silent)
    let client = FetchClient { $0.transport = transport.transport }
    var events = client.events(url, reconnection: ReconnectionPolicy.never, idle: .milliseconds(200))
      .makeAsyncIterator()
    #expect(try await events.next()?.data == "a")
    let error = await #expect(throws: FetchError.self) { while try await events.next() != nil {} }
    guard case .timeout(.idle, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    server.stop()
  }

  @Test func `the idle time of an event stream is none, the request's, or the parameter`() async throws {
    let (client, stub) = simulated(.status(204))
    var request = HTTPRequest(.get, url)
    for try await _ in client.events(request) {}
    for try await _ in client.events(request, idle: .seconds(40)) {}
    request.options.timeouts = Timeouts(connect: .seconds(1), idle: .seconds(50), total: nil)
    for try await _ in client.events(request) {}
    for try await _ in client.events(request, idle: .seconds(40)) {}
    #expect(stub.requests.map(\.timeouts.idle) == [nil, 40, 50, 40].map { $0.map { .seconds($0) } })
    #expect(stub.requests.map(\.timeouts.connect) == [10, 10, 1, 1].map { .seconds($0) })
    #expect(stub.requests.allSatisfy { $0.timeouts.total == nil })
  }

  // MARK: Busy servers

  @Test func `a busy server is asked again when it says`() async throws {
    server.on(
      "/events", .status(503, headers: ["Retry-After": "20"]), .status(429, headers: ["Retry-After": "0"]),
      Self.events("id: 1\ndata: a\n\n"), .status(503, headers: ["Retry-After": "3600"]), .status(503), .status(204))
    #expect(try await all(sleeps: 5).map(\.data) == ["a"])
    #expect(clock.sleeps == [20, 3, 1.5, 3600, 6].map { .seconds($0) })
    #expect(server.requests.last?.headers["Last-Event-ID"] == "1")
    server.stop()
  }

  @Test(arguments: [(ReconnectionPolicy.never, "20"), (ReconnectionPolicy(), "3601")])
  func `a busy server's status is thrown without reconnection, or after more than an hour`(
    policy: ReconnectionPolicy, delay: String
  ) async throws {
    server.on("/events", .status(503, headers: ["Retry-After": delay]))
    let error = await #expect(throws: FetchError.self) {
      for try await _ in client.events(url, reconnection: policy) {}
    }
    guard case .status(let failure, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(failure.status == 503 && server.requests.count == 1 && clock.sleeps.isEmpty)
    server.stop()
  }

  @Test func `the policy decides about every error but a cancellation and the total timeout`() async throws {
    let asked = Lock<[String]>([])
    var policy = ReconnectionPolicy(baseDelay: .seconds(8))
    policy.maximumFailures = 2
    policy.decision = { error in
      asked.withLock { $0.append(error.description) }
      return true
    }
    server.on("/events", .status(404), .json("{}"), .status(403))
    let reading = Task { [client, url] in
      for try await _ in client.events(url, reconnection: policy) {}
    }
    for delay in [4, 8] {
      await clock.sleepers(atLeast: 1)
      clock.advance(by: .seconds(delay))
    }
    let error = await #expect(throws: FetchError.self) { try await reading.value }
    guard case .status(let failure, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(failure.status == 403 && asked.withLock(\.count) == 3)

    let (client, _) = simulated(Self.silent)
    var request = HTTPRequest(.get, url)
    request.options.timeouts = Timeouts(connect: .seconds(1), idle: nil, total: .seconds(60))
    for advances in [true, false] {
      let limited = Task { [request, policy] in
        for try await _ in client.events(request, reconnection: policy) {}
      }
      await clock.sleepers(atLeast: 1)
      if advances { clock.advance(by: .seconds(60)) } else { limited.cancel() }
      await #expect(throws: FetchError.self) { try await limited.value }
    }
    #expect(asked.withLock(\.count) == 3)
    server.stop()
  }

  @Test func `no policy keeps a stream alive after a shutdown`() async throws {
    var policy = ReconnectionPolicy(baseDelay: .zero)
    policy.decision = { _ in true }
    await client.shutdown(within: .zero)
    var events = client.events(url, reconnection: policy).makeAsyncIterator()
    await #expect {
      try await events.next()
    } throws: {
      if case FetchError.shutDown = $0 { true } else { false }
    }
    server.stop()
  }

  @Test func `a server that ends at once is not asked in a hot loop`() async throws {
    server.on("/events", Self.events("data: a\n\n"), .status(204))
    let stream = client.events(url, reconnection: ReconnectionPolicy(baseDelay: .zero))
    let reading = Task { try await stream.reduce(into: 0) { count, _ in count += 1 } }
    await clock.sleepers(atLeast: 1)
    #expect(clock.sleeps == [.milliseconds(100)])
    clock.advance(by: .milliseconds(100))
    #expect(try await reading.value == 1)
    server.stop()
  }

  @Test func `a stream that may fail no more ends where the server ends it`() async throws {
    var policy = ReconnectionPolicy()
    policy.maximumFailures = 1
    server.on("/events", Self.events("data: a\n\n"), Self.events(": nothing"), Self.events(": nothing"))
    let reading = Task { [client, url, policy] in
      try await client.events(url, reconnection: policy).reduce(into: []) { $0.append($1.data) }
    }
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    #expect(try await reading.value == ["a"])
    #expect(server.requests.count == 2)
    server.stop()
  }
}
