import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

@testable import FetchKit

@Suite(.timeLimit(.minutes(10))) struct ConcurrencyLimiterTests {
  @Test func `the concurrency limiter enforces its total limit and the limit of each host`() {
    let state = Machine(ConcurrencyLimits(total: 3, perHost: 2))
    #expect(state.request("a", .normal) == (1, true))
    #expect(state.request("a", .normal) == (2, true))
    #expect(state.request("a", .normal) == (3, false))
    #expect(state.request("b", .normal) == (4, true))
    #expect(state.request("c", .normal) == (5, false))
    // a is full until one of its own ends; c waits for any permit.
    #expect(state.release("b") == [5])
    #expect(state.release("a") == [3])
    #expect(state.release("c") == [])
    #expect(state.running == 2)
  }

  @Test func `the highest priority goes first, then the earliest, and every fourth turn the oldest`() {
    let state = Machine(ConcurrencyLimits(total: 1, perHost: 1))
    _ = state.request("a", .normal)
    let priorities: [RequestPriority] = [.low, .normal, .high, .high, .normal, .high, .low, .high, .high]
    for (index, priority) in priorities.enumerated() {
      #expect(state.request("\(index % 3)", priority) == (index + 2, false))
    }
    var order: [Int] = []
    var host = "a"
    while let ticket = state.release(host).first {
      order.append(ticket - 2)
      host = "\((ticket - 2) % 3)"
    }
    // Every fourth turn goes to the oldest.
    #expect(order == [2, 3, 5, 0, 7, 8, 1, 4, 6])
    #expect(state.waitingCount == 0)
  }

  @Test func `a waiter that withdraws is skipped`() {
    let state = Machine(ConcurrencyLimits(total: 1, perHost: 1))
    _ = state.request("a", .normal)
    _ = state.request("a", .normal)
    _ = state.request("a", .normal)
    #expect(state.withdraw(2))
    #expect(!state.withdraw(2))
    #expect(!state.withdraw(1))
    #expect(state.release("a") == [3])
    #expect(state.release("a") == [])
    #expect(state.running == 0)
  }

  @Test func `a host that answers over HTTP2 gets more requests, and fewer again after an HTTP1 answer`() {
    let state = Machine(ConcurrencyLimits(total: 3, perHost: 2, perHostOverHTTP2: 4))
    for ticket in 1...8 { #expect(state.request("a", .normal) == (ticket, ticket <= 2)) }
    // An unknown version changes nothing.
    #expect(state.release("a") == [3])
    #expect(state.release("a", multiplexes: true) == [4, 5, 6])
    #expect(state.running == 4)
    // The four count as two connections.
    #expect(state.request("b", .normal) == (9, true))
    #expect(state.request("b", .normal) == (10, false))
    #expect(state.release("a", multiplexes: true) == [7])
    #expect(state.release("a", multiplexes: false) == [])
    #expect(state.release("a", multiplexes: false) == [])
    #expect(state.running == 3)
    #expect(state.release("a", multiplexes: false) == [8])
    #expect(state.release("b") == [10])
    for host in ["a", "a", "b"] { #expect(state.release(host) == []) }
    #expect(state.running == 0)
  }

  @Test func `a request that waits for the total lets those that share its connection follow at once`() {
    let state = Machine(ConcurrencyLimits(total: 2, perHost: 1, perHostOverHTTP2: 3))
    _ = state.request("a", .normal)
    #expect(state.release("a", multiplexes: true) == [])
    for host in ["b", "c"] { #expect(state.request(host, .normal).1) }
    for _ in 0..<4 { #expect(!state.request("a", .normal).1) }
    #expect(state.release("b") == [4, 5, 6])
    #expect(state.release("c") == [])
    #expect(state.release("a", multiplexes: true) == [7])
  }

  @Test func `random histories keep the limits and leave no waiter behind`() {
    var generator = SplitMix(seed: 20_261_121)
    for _ in 0..<50 {
      let limits = ConcurrencyLimits(
        total: .random(in: 1...5, using: &generator), perHost: .random(in: 1...3, using: &generator),
        perHostOverHTTP2: .random(in: 1...6, using: &generator))
      let state = Machine(limits)
      var running: [Int: String] = [:]
      var waiting: [Int: String] = [:]
      var multiplexing: Set<String> = []
      for _ in 0..<400 {
        switch Int.random(in: 0..<5, using: &generator) {
        case 0...1:
          let host = "\(Int.random(in: 0..<4, using: &generator))"
          let priority = RequestPriority.allCases.randomElement(using: &generator) ?? .low
          let (ticket, isAdmitted) = state.request(host, priority)
          if isAdmitted { running[ticket] = host } else { waiting[ticket] = host }
        case 2:
          guard let ticket = waiting.keys.sorted().randomElement(using: &generator) else { continue }
          #expect(state.withdraw(ticket))
          waiting[ticket] = nil
        default:
          guard let ticket = running.keys.sorted().randomElement(using: &generator), let host = running[ticket] else {
            continue
          }
          running[ticket] = nil
          let multiplexes = [nil, true, false].randomElement(using: &generator) ?? nil
          if multiplexes == true { multiplexing.insert(host) }
          if multiplexes == false { multiplexing.remove(host) }
          for next in state.release(host, multiplexes: multiplexes) {
            running[next] = waiting.removeValue(forKey: next)
          }
        }
        let perHost = Dictionary(grouping: running.values, by: \.self).mapValues(\.count)
        let counted = perHost.values.reduce(0) { $0 + min($1, limits.perHost) }
        #expect(counted <= limits.total)
        #expect(perHost.values.allSatisfy { $0 <= max(limits.perHost, limits.perHostOverHTTP2) })
        // No waiter waits that could go.
        #expect(
          waiting.values.allSatisfy { host in
            let count = perHost[host, default: 0]
            if count < limits.perHost { return counted == limits.total }
            return count >= limits.perHostOverHTTP2 || !multiplexing.contains(host)
          })
      }
    }
  }

  @Test func `a wait ends by turn, timeout or cancellation, and every permit is returned`() async throws {
    let clock = ManualClock()
    let limiter = ConcurrencyLimiter(ConcurrencyLimits(total: 1, perHost: 1), TimeSource(clock))
    let first = try await limiter.admit("a", .normal, within: nil)
    let late = Task { try await limiter.admit("a", .normal, within: .seconds(5)) }
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(5))
    await #expect(throws: WaitError.timeout) { try await late.value }
    let cancelled = Task { try await limiter.admit("a", .normal, within: nil) }
    cancelled.cancel()
    await #expect(throws: WaitError.cancelled) { try await cancelled.value }
    let withoutTimeout = Task { try await limiter.admit("a", .normal, within: nil) }
    #expect(await eventually { limiter.waitingCount > 0 })
    first.release()
    first.release()
    _ = try await withoutTimeout.value
    #expect(limiter.waitingCount == 0)
  }

  @Test func `a client sends waiting requests by priority, and a full host does not delay another`() async throws {
    let server = try LoopbackServer()
    let other = try LoopbackServer()
    let gate = LoopbackGate()
    for each in [server, other] { each.on("/{name}", .text("x")) }
    server.on("/held", .text("x").held(at: gate))
    let client = FetchClient { $0.concurrency = ConcurrencyLimits(total: 2, perHost: 1) }
    func start(_ path: String, _ priority: RequestPriority) -> Task<Void, any Error> {
      var request = HTTPRequest(.get, server.url.appending(path: path))
      request.options.priority = priority
      return Task { [request] in try await client.fetch(request, .void) }
    }
    var tasks = [start("held", .low)]
    await server.requests(atLeast: 1)
    for (path, priority) in [("low", RequestPriority.low), ("normal", .normal), ("high", .high)] {
      tasks.append(start(path, priority))
      let count = tasks.count - 1
      #expect(await eventually { client.pipeline.limiter.waitingCount == count })
    }
    try await client.fetch(other.url.appending(path: "x"), .void)
    gate.open()
    for task in tasks { try await task.value }
    #expect(server.requests.map(\.path) == ["/held", "/high", "/normal", "/low"])
  }

  @Test(arguments: [(2, 40), (1, 3), (nil, 3)])
  func `a client sends more requests at once to a host that answers over HTTP2`(version: Int?, most: Int) async throws {
    let release = Events()
    let count = Lock(0)
    let stub = StubTransport { _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number > 1 { await release.wait(for: 1) }
      let version = version.map { ResponseHead.Version(major: $0, minor: 1) }
      return TransportResponse(head: ResponseHead(status: 200, version: version), body: ResponseBody())
    }
    let client = FetchClient {
      $0.transport = stub
      $0.concurrency = ConcurrencyLimits(perHost: 3, perHostOverHTTP2: 40)
    }
    try await client.fetch("http://example.com/", .void)
    try await withThrowingTaskGroup { group in
      for _ in 0..<100 { group.addTask { try await client.fetch("http://example.com/", .void) } }
      let limiter = client.pipeline.limiter
      #expect(await eventually { limiter.waitingCount + limiter.runningCount == 100 })
      #expect(limiter.runningCount == most)
      await release.add()
      try await group.waitForAll()
    }
    #expect(stub.requests.count == 101)
  }

  @Test func `many tasks with random cancels return every permit`() async {
    let limiter = ConcurrencyLimiter(ConcurrencyLimits(total: 4, perHost: 2), TimeSource(ContinuousClock()))
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<2000 {
        group.addTask {
          let task = Task {
            let permit = try await limiter.admit("\(index % 5)", .normal, within: .milliseconds(index % 7))
            await Task.yield()
            permit.release()
          }
          if index.isMultiple(of: 3) { task.cancel() }
          _ = await task.result
        }
      }
    }
    #expect(limiter.runningCount == 0)
    #expect(limiter.waitingCount == 0)
  }
}

/// The state machine in a class, so that expectations can call it.
private final class Machine {
  private var state: ConcurrencyLimiterState

  init(_ limits: ConcurrencyLimits) { state = ConcurrencyLimiterState(limits) }

  var running: Int { state.running }
  var waitingCount: Int { state.waitingCount }
  func request(_ host: String, _ priority: RequestPriority) -> (Int, Bool) {
    let (ticket, isAdmitted) = state.request(host, priority)
    return (ticket, isAdmitted)
  }
  func release(_ host: String, multiplexes: Bool? = nil) -> [Int] { state.release(host, multiplexes: multiplexes) }
  func withdraw(_ ticket: Int) -> Bool { state.withdraw(ticket) }
}
