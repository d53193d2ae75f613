#if os(Linux)
import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

@testable import FetchKit

/// More concurrent requests than one multi handle of libcurl's accepts; here four, so that a few are many.
@Suite(.timeLimit(.minutes(2))) struct CurlPoolTests {
  let server: LoopbackServer
  let gate = LoopbackGate()

  init() throws {
    server = try LoopbackServer()
    server.on("/held/{n}") { [gate] in .text("late \($0.parameters["n"] ?? "")").held(at: gate) }
    server.on("/", .text("x"))
  }

  private func transport(_ configure: (inout CurlTransport.Configuration) -> Void = { _ in }) throws -> CurlTransport {
    var configuration = CurlTransport.Configuration()
    configuration.proxy = .none
    configure(&configuration)
    var settings = try CurlSettings(configuration, library: CurlLibrary.load())
    settings.transfersPerPool = 4
    return try CurlTransport(settings)
  }

  /// Requests that have all reached the server, with none of them answered.
  private func hold(_ count: Int, on transport: CurlTransport) async -> [Task<Outcome, Never>] {
    let before = server.requests.count
    let tasks = tasks(count, on: transport)
    await server.requests(atLeast: before + count)
    return tasks
  }

  private func tasks(_ count: Int, on transport: CurlTransport, total: Duration? = nil) -> [Task<Outcome, Never>] {
    (0..<count).map { number in
      let url = server.url.appending(path: "held/\(number)")
      let timeouts = Timeouts(connect: nil, idle: nil, total: total)
      let delivery = number % 3 == 0 ? TransportRequest.Delivery.stream : .whole
      return Task {
        await transport.outcome(of: TransportRequest(.get, url, delivery: delivery, timeouts: timeouts))
      }
    }
  }

  @Test func `requests in several pools each receive their own response, and later ones reuse connections`()
    async throws
  {
    let transport = try transport()
    for _ in 0..<2 {
      let held = await hold(30, on: transport)
      gate.open()
      for (number, task) in held.enumerated() { #expect(await task.value == .response(200, "late \(number)")) }
    }
    let connections = server.acceptedConnections
    for _ in 0..<5 { #expect(await transport.outcome(of: server.url) == .response(200, "x")) }
    #expect(server.acceptedConnections == connections)
  }

  @Test func `next to many requests that hang, others share one kept-alive connection`() async throws {
    let transport = try transport { $0.maxIdleConnections = 1 }
    let held = await hold(21, on: transport)
    for _ in 0..<10 { #expect(await transport.outcome(of: server.url) == .response(200, "x")) }
    #expect(server.acceptedConnections == 22)
    gate.open()
    for task in held { _ = await task.value }
  }

  @Test func `connections opened for many requests are closed when few remain`() async throws {
    let transport = try transport { $0.maxIdleConnections = 2 }
    let held = await hold(30, on: transport)
    #expect(server.openConnections == 30)
    gate.open()
    for task in held { _ = await task.value }
    // A second or two later, in case there are as many again.
    #expect(await eventually { server.openConnections <= 2 })
    #expect(await transport.outcome(of: server.url) == .response(200, "x"))
    let accepted = server.acceptedConnections
    #expect(await transport.outcome(of: server.url) == .response(200, "x"))
    #expect(server.acceptedConnections == accepted)
  }

  // They start and end together, so that at times hardly any request is in flight.
  @Test func `under continuous load no more connections are opened than requests are in flight`() async throws {
    let transport = try CurlTransport {
      $0.proxy = .none
      $0.maxIdleConnections = 4
    }
    let url = server.url
    for _ in 0..<30 {
      await withTaskGroup { group in
        for _ in 0..<40 { group.addTask { #expect(await transport.outcome(of: url) == .response(200, "x")) } }
      }
    }
    #expect(server.acceptedConnections <= 40)
  }

  @Test func `cancels and timeouts reach every request in every pool`() async throws {
    let transport = try transport()
    let cancelled = await hold(15, on: transport)
    let late = tasks(15, on: transport, total: .milliseconds(300))
    for task in cancelled { task.cancel() }
    for task in cancelled { #expect(await task.value == .failed("cancelled")) }
    for task in late { #expect(await task.value == .failed("total timeout")) }
    await server.allConnectionsClosed()
    #expect(await transport.outcome(of: server.url) == .response(200, "x"))
  }

  @Test func `the limit of connections per host covers all pools`() async throws {
    let transport = try transport { $0.connectionsPerHost = 2 }
    let url = server.url
    let outcomes = await withTaskGroup(of: Outcome.self) { group in
      for _ in 0..<40 { group.addTask { await transport.outcome(of: url) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.allSatisfy { $0 == .response(200, "x") })
    #expect(server.acceptedConnections <= 2)
  }

  @Test func `a released transport closes the connections of all its pools`() async throws {
    do {
      let transport = try transport()
      let held = await hold(15, on: transport)
      gate.open()
      for task in held { _ = await task.value }
    }
    await server.allConnectionsClosed()
  }
}
#endif
