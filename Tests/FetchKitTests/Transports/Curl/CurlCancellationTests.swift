#if os(Linux)
import FetchKit
import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct CurlCancellationTests {
  let server: LoopbackServer
  let transport: CurlTransport

  init() throws {
    server = try LoopbackServer()
    transport = try CurlTransport { $0.proxy = .none }
  }

  @Test func `a task that is cancelled before it sends sends nothing`() async throws {
    server.on("/", .text("x"))
    let transport = transport
    let url = server.url
    let (start, go) = AsyncStream<Void>.makeStream()
    let task = Task {
      _ = await start.first { _ in true }
      return await transport.outcome(of: url)
    }
    task.cancel()
    go.yield()
    #expect(await task.value == .failed("cancelled"))
    #expect(server.requests.isEmpty)
  }

  @Test(arguments: ["connect", "handshake", "look-up", "head", "body"])
  func `cancelling ends a request immediately in each of its phases`(_ phase: String) async throws {
    let full = try RawPeer(backlog: 0, serve: nil)
    let fillers = try (0..<3).map { _ in try FillerConnection(to: full.port) }
    let (events, event) = AsyncStream<Void>.makeStream()
    let silent = try RawPeer { connection in
      event.yield()
      connection.waitForClose()
    }
    let gate = LoopbackGate()
    server.on("/head", .text("late").held(at: gate))
    server.on("/body", .text("late").held(at: gate, after: .body(bytes: 2)))
    let url =
      switch phase {
      case "connect": try full.url()
      case "handshake": try #require(URL(string: "https://127.0.0.1:\(silent.port)/"))
      case "look-up": try #require(URL(string: "http://\(SlowLookup.host)/"))
      default: server.url.appending(path: phase)
      }
    var request = TransportRequest(.get, url)
    request.timeouts = Timeouts(connect: .seconds(50), idle: .seconds(50), total: .seconds(50))
    let transport = transport
    let lookups = SlowLookup.shared.count
    let task = Task { [request] in await transport.outcome(of: request) }
    switch phase {
    case "connect": await Task.yield()
    case "look-up": #expect(await eventually { SlowLookup.shared.count > lookups })
    case "handshake": _ = await events.first { _ in true }
    default: await server.requests(atLeast: 1)
    }
    let clock = ContinuousClock()
    let start = clock.now
    task.cancel()
    #expect(await task.value == .failed("cancelled"))
    #expect(clock.now - start < .seconds(20))
    gate.open()
    withExtendedLifetime(fillers) {}
  }

  @Test func `a queued request can be cancelled`() async throws {
    let transport = try CurlTransport {
      $0.proxy = .none
      $0.connectionsPerHost = 1
    }
    let gate = LoopbackGate()
    server.on("/held", .text("late").held(at: gate))
    let url = server.url
    let held = Task { await transport.outcome(of: url.appending(path: "held")) }
    await server.requests(atLeast: 1)
    let queued = Task { await transport.outcome(of: url.appending(path: "queued")) }
    queued.cancel()
    #expect(await queued.value == .failed("cancelled"))
    gate.open()
    #expect(await held.value == .response(200, "late"))
    #expect(server.requests.count == 1)
  }

  @Test func `a storm of cancels ends every request and leaves no connection`() async throws {
    // With LARDER_LONG_TESTS set: ten thousand, in turns, because each takes two descriptors of this process.
    let isLong = ProcessInfo.processInfo.environment["LARDER_LONG_TESTS"] != nil
    let gate = LoopbackGate()
    server.on("/held", .text("late").held(at: gate))
    let transport = transport
    let url = server.url.appending(path: "held")
    var request = TransportRequest(.get, url)
    request.timeouts = Timeouts(connect: nil, idle: nil, total: nil)
    for turn in 1...(isLong ? 10 : 1) {
      let tasks = (0..<1000).map { number in
        Task { [request] in
          var request = request
          if number % 5 == 0 { request.delivery = .stream }
          return await transport.outcome(of: request)
        }
      }
      await server.requests(atLeast: turn * 1000)
      for task in tasks { task.cancel() }
      for task in tasks { #expect(await task.value == .failed("cancelled")) }
      await server.allConnectionsClosed()
    }
    // The transport still works.
    server.on("/", .text("x"))
    #expect(await transport.outcome(of: server.url) == .response(200, "x"))
  }

  @Test func `with cancels and responses racing, every request ends once`() async throws {
    server.on("/", .text("x"))
    server.on("/big", LoopbackResponse(body: .repeated(Data(repeating: 7, count: 100_000), count: 10)))
    let transport = transport
    let url = server.url
    let seed = UInt64.random(in: 0 ... .max)
    print("seed of the race: \(seed)")
    var random = SplitMix(seed: seed)
    let plan = (0..<400).map { _ in (random.next() % 4, random.next() % 500) }
    await withTaskGroup(of: Bool.self) { group in
      for (kind, spins) in plan {
        group.addTask {
          let request = TransportRequest(
            .get, url.appending(path: kind == 1 ? "big" : "/"), delivery: kind < 2 ? .stream : .whole)
          let task = Task { await transport.outcome(of: request) }
          for _ in 0..<spins { await Task.yield() }
          task.cancel()
          let outcome = await task.value
          if case .response(200, _) = outcome { return true }
          return outcome == .failed("cancelled")
        }
      }
      for await isRight in group { #expect(isRight) }
    }
    #expect(await transport.outcome(of: url) == .response(200, "x"))
  }
}
#endif
