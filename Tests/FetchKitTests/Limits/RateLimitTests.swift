import FetchKitTesting
import Foundation
import Testing

@testable import FetchKit

@Suite(.timeLimit(.minutes(10))) struct RateLimitTests {
  /// The state machine in a class, so that expectations can call it.
  private final class Machine {
    private var state: RateLimitState

    init(_ limit: RateLimit) { state = RateLimitState(limit) }

    /// How long each of so many requests waits, in seconds.
    func take(_ count: Int = 1, at seconds: Double) -> [Double] {
      (0..<count).map { _ in (state.take(now: .seconds(seconds)).inSeconds * 1000).rounded() / 1000 }
    }

    func giveBack() { state.giveBack() }

    func note(_ headers: HTTPHeaders, status: Int = 200, retryAfter: Int? = nil, at seconds: Double) {
      state.note(
        ResponseHead(status: status, headers: headers), retryAfter: retryAfter.map { .seconds($0) },
        now: .seconds(seconds), date: RateLimitTests.date)
    }

    func pause(at seconds: Double) -> Double { state.pause(now: .seconds(seconds)).inSeconds }
    func isIdle(at seconds: Double) -> Bool { state.isIdle(now: .seconds(seconds)) }
  }

  @Test func `a burst is sent immediately, the other requests in order at the rate`() {
    let machine = Machine(RateLimit(10, per: .seconds(1), burst: 3))
    #expect(machine.take(6, at: 0) == [0, 0, 0, 0.1, 0.2, 0.3])
    #expect(machine.take(at: 0.3) == [0.1])
    #expect(!machine.isIdle(at: 0.4))
    #expect(machine.isIdle(at: 60))
    #expect(machine.take(5, at: 60) == [0, 0, 0, 0.1, 0.2])
  }

  @Test func `a request that withdraws passes its turn to the next request`() {
    let machine = Machine(RateLimit(1, per: .seconds(1)))
    #expect(machine.take(3, at: 0) == [0, 1, 2])
    machine.giveBack()
    #expect(machine.take(at: 0) == [2])
  }

  @Test func `requests stay within the server's remaining quota in each window`() {
    let machine = Machine(.serverDirected)
    #expect(machine.take(100, at: 0) == Array(repeating: 0, count: 100))
    machine.note(["RateLimit": "\"a\";r=2;t=10", "RateLimit-Policy": "\"a\";q=3;w=20"], at: 0)
    #expect(machine.take(7, at: 1) == [0, 0, 9, 9, 9, 29, 29])
    #expect(machine.take(at: 200) == [0])
  }

  @Test func `an update about one window does not revoke turns already granted in the next`() {
    let machine = Machine(.serverDirected)
    let policy: HTTPHeaders = ["RateLimit": "\"a\";r=0;t=10", "RateLimit-Policy": "\"a\";q=2;w=10"]
    machine.note(policy, at: 0)
    #expect(machine.take(2, at: 0) == [10, 10])
    machine.note(policy, at: 0)
    #expect(machine.take(2, at: 0) == [20, 20])
  }

  @Test func `the wait ends with the current window if the next one is unknown`() {
    let machine = Machine(.serverDirected)
    machine.note(["RateLimit": "\"a\";r=1;t=10"], at: 0)
    #expect(machine.take(4, at: 0) == [0, 10, 10, 10])
    machine.note(["RateLimit": "\"a\";r=5;t=10"], at: 10)
    #expect(machine.take(6, at: 10) == [0, 0, 0, 0, 0, 10])
  }

  @Test func `responses that arrive out of order do not restore used quota`() {
    let machine = Machine(.serverDirected)
    machine.note(["RateLimit": "\"a\";r=2;t=10"], at: 0)
    #expect(machine.take(at: 0) == [0])
    machine.note(["RateLimit": "\"a\";r=2;t=9"], at: 1)
    #expect(machine.take(2, at: 1) == [0, 9])
  }

  @Test(
    arguments: [
      (["RateLimit": "\"a\";r=5;t=10, \"b\";r=0;t=30"], 30),
      (["RateLimit": "\"a\";r=0;t=10, \"b\";r=0;t=30, \"c\";r=0;t=20"], 30), (["RateLimit": "default;t=7;r=0"], 7),
      (["RateLimit-Remaining": "0", "RateLimit-Reset": "8"], 8), (["RateLimit": "\"a\";r=0;t=99999"], 60),
      (["RateLimit": "\"a\";r=0"], 0), (["RateLimit": "\"a\";r=-1;t=5"], 0), (["RateLimit": "nonsense"], 0),
      (["RateLimit": ";;=;r;t=5"], 0), (["RateLimit-Remaining": "x", "RateLimit-Reset": "8"], 0), ([:], 0),
      (["X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": epoch(5)], 5),
      (["RateLimit-Remaining": "0", "RateLimit-Reset": epoch(2)], 2),
      (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": epoch(7) + "000"], 7),
      (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": epoch(-9)], 0),
      // Only the server's own clock counts, if it is known.
      (["RateLimit-Remaining": "0", "RateLimit-Reset": epoch(1002), "Date": (date + 1000).http], 2),
      (["X-RateLimit-Remaining": "0.0", "X-RateLimit-Used": "600", "X-RateLimit-Reset": "31"], 31),
      (["X-RateLimit-Remaining": "599.0", "X-RateLimit-Reset": "31"], 0),
      (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": String(repeating: "9", count: 400)], 60),
      (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1.2.3"], 0),
      (["X-RateLimit-Remaining": ".", "X-RateLimit-Reset": ""], 0), (["X-RateLimit-Remaining": "0"], 0),
    ] as [(HTTPHeaders, Double)])
  func `rate-limit fields are read as their draft specifies, and invalid ones are ignored`(
    headers: HTTPHeaders, wait: Double
  ) {
    let machine = Machine(.serverDirected)
    machine.note(headers, at: 0)
    #expect(machine.take(at: 0) == [wait])
  }

  private static let date = Date(timeIntervalSince1970: 1_700_000_000)

  private static func epoch(_ seconds: Int) -> String { "\(1_700_000_000 + seconds)" }

  @Test(arguments: [(429, 5.0), (503, 5), (403, 5), (200, 0), (500, 0)])
  func `Retry-After delays all requests to its host`(
    status: Int, wait: Double
  ) {
    let machine = Machine(RateLimit(100))
    machine.note(["Retry-After": "5"], status: status, retryAfter: 5, at: 0)
    #expect(machine.take(at: 0) == [wait])
    #expect(machine.pause(at: 2) == max(0, wait - 2))
    var deaf = RateLimit(100)
    deaf.respectsServerLimits = false
    let other = Machine(deaf)
    other.note(["RateLimit": "\"a\";r=0;t=5"], status: status, retryAfter: 5, at: 0)
    #expect(other.take(at: 0) == [0])
  }

  @Test func `requests wait for their turn, and one whose turn would come too late fails immediately`() async throws {
    let clock = ManualClock()
    let stub = StubTransport()
    let client = FetchClient {
      $0.transport = stub
      $0.clock = clock
      $0.rateLimit = RateLimit(1, per: .seconds(10), burst: 2)
    }
    var request = HTTPRequest(.get, try #require(URL(string: "http://example.com/")))
    _ = try await client.fetch(request, .void)
    _ = try await client.fetch(request, .void)
    request.options.timeouts = Timeouts(total: .seconds(9))
    let hasty = request
    let error = await #expect(throws: FetchError.self) { try await client.fetch(hasty, .void) }
    guard case .timeout(.total, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    request.options.timeouts = Timeouts(total: .seconds(11))
    let waiting = Task { [request] in try await client.fetch(request, .void) }
    await clock.sleepers(atLeast: 1)
    // Another host has its own bucket.
    _ = try await client.fetch("http://other.example/", .void)
    #expect(stub.requests.count == 3)
    clock.advance(by: .seconds(10))
    try await waiting.value
    let cancelled = Task { [request] in try await client.fetch(request, .void) }
    await clock.sleepers(atLeast: 1)
    cancelled.cancel()
    await #expect(throws: FetchError.self) { try await cancelled.value }
    #expect(stub.requests.count == 4)
  }

  @Test func `waits for the rate and for a permit count towards one total timeout`() async throws {
    let clock = ManualClock()
    let (isHeld, holds) = AsyncStream<Void>.makeStream()
    let gate = LoopbackGate()
    let stub = StubTransport(simulating: { request in
      guard request.path == "/held" else { return .text("x") }
      holds.yield()
      return LoopbackResponse.text("x").held(at: gate)
    })
    let client = FetchClient {
      $0.transport = stub
      $0.clock = clock
      $0.rateLimit = RateLimit(1, per: .seconds(10))
      $0.concurrency = ConcurrencyLimits(total: 1, perHost: 1)
      $0.timeouts = Timeouts(connect: nil, idle: nil, total: nil)
    }
    let first = Task { try await client.fetch("http://example.com/held", .void) }
    for await _ in isHeld { break }
    var request = HTTPRequest(.get, try #require(URL(string: "http://example.com/next")))
    request.options.timeouts = Timeouts(total: .seconds(15))
    let second = Task { [request] in try await client.fetch(request, .void) }
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(10))
    await clock.sleepers(atLeast: 1)
    #expect(clock.sleeps == [.seconds(10), .seconds(5)])
    clock.advance(by: clock.sleeps.last ?? .zero)
    let error = await #expect(throws: FetchError.self) { try await second.value }
    guard case .timeout(.total, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    gate.open()
    try await first.value
  }

  @Test func `a 429 delays the next request until the server allows it`() async throws {
    let clock = ManualClock()
    let date = TestDate()
    let answers = Lock([429, 200])
    let stub = StubTransport { _ throws(TransportError) in
      .stub(status: answers.withLock { $0.removeFirst() }, headers: ["Retry-After": "30"])
    }
    let client = FetchClient {
      $0.transport = stub
      $0.clock = clock
      $0.date = { date.now }
      $0.rateLimit = .serverDirected
    }
    await #expect(throws: FetchError.self) { try await client.fetch("http://example.com/a", .void) }
    let next = Task { try await client.fetch("http://example.com/b", .void) }
    await clock.sleepers(atLeast: 1)
    #expect(clock.sleeps == [.seconds(30)])
    #expect(stub.requests.count == 1)
    clock.advance(by: .seconds(30))
    try await next.value
  }
}
