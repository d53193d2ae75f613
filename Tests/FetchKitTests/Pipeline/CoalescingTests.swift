import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

@testable import FetchKit

@Suite(.timeLimit(.minutes(10))) struct CoalescingTests {
  private let server: LoopbackServer
  private let gate = LoopbackGate()
  private let clock = ManualClock()
  private let client: FetchClient

  init() throws {
    server = try LoopbackServer()
    server.on("/held", .text("shared").held(at: gate))
    client = FetchClient { [clock] in
      $0.coalescesRequests = true
      $0.clock = clock
    }
  }

  private var coalescer: Coalescer<FetchKey, CoalescingStage.Outcome>? { client.pipeline.coalescer }

  private func members(_ count: Int) async {
    #expect(await eventually { coalescer?.memberCount == count })
  }

  private func held(_ headers: HTTPHeaders = [:], total: Duration? = nil) -> HTTPRequest {
    var request = HTTPRequest(.get, server.url.appending(path: "held"), headers: headers)
    request.options.timeouts = Timeouts(total: total)
    return request
  }

  @Test(arguments: [false, true]) func `a thousand equal concurrent requests are sent once`(halfCancels: Bool) async {
    let tasks = (0..<1000).map { _ in Task { [client, request = held()] in try await client.fetch(request, .string) } }
    await members(1000)
    await server.requests(atLeast: 1)
    // The one that started the request is among those that leave.
    if halfCancels { for task in tasks.prefix(500) { task.cancel() } }
    if halfCancels { await members(500) }
    gate.open()
    var values = 0
    var cancelled = 0
    for task in tasks {
      switch await task.result {
      case .success(let text): values += text == "shared" ? 1 : 0
      case .failure(FetchError.cancelled): cancelled += 1
      case .failure(let error): Issue.record(error)
      }
    }
    #expect(values == (halfCancels ? 500 : 1000))
    #expect(cancelled == (halfCancels ? 500 : 0))
    #expect(server.requests.count == 1)
    #expect(coalescer?.isEmpty == true)
    server.stop()
  }

  @Test func `a coalesced request is cancelled when its last caller leaves, and the next call starts a new one`()
    async throws
  {
    let tasks = (0..<10).map { _ in Task { [client, request = held()] in try await client.fetch(request, .string) } }
    await members(10)
    await server.requests(atLeast: 1)
    for task in tasks { task.cancel() }
    for task in tasks { await #expect(throws: FetchError.self) { try await task.value } }
    await server.allConnectionsClosed()
    gate.open()
    #expect(try await client.fetch(held(), .string) == "shared")
    #expect(try await client.fetch(held(), .string) == "shared")
    #expect(server.requests.count == 3)
    server.stop()
  }

  @Test func `each caller of a coalesced request keeps its own timeout`() async throws {
    let short = Task { [client, request = held(total: .seconds(5))] in try await client.fetch(request, .string) }
    await members(1)
    let long = Task { [client, request = held(total: .seconds(50))] in try await client.fetch(request, .string) }
    let unlimited = Task { [client, request = held()] in try await client.fetch(request, .string) }
    await members(3)
    await clock.sleepers(atLeast: 2)
    clock.advance(by: .seconds(5))
    let error = await #expect(throws: FetchError.self) { try await short.value }
    guard case .timeout(.total, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    gate.open()
    #expect(try await long.value == "shared")
    #expect(try await unlimited.value == "shared")
    #expect(server.requests.count == 1)
    server.stop()
  }

  @Test func `requests that differ in method, URL, headers or options are not coalesced`() async throws {
    let url = server.url.appending(path: "held")
    var requests = [
      held(), held(["Authorization": "one"]), held(["Authorization": "two"]), held(["Accept": "a"]),
      HTTPRequest(.head, url), HTTPRequest(.post, url), HTTPRequest(.post, url), HTTPRequest(.delete, url),
      HTTPRequest(.get, url.appending(queryItems: [URLQueryItem(name: "a", value: "b")])),
    ]
    requests.append(held())
    requests[requests.count - 1].options.acceptableStatusCodes = 200..<500
    requests.append(held())
    requests[requests.count - 1].options.cache = .reload
    requests.append(held())
    requests[requests.count - 1].options.uploadProgress = { _, _ in }
    requests.append(held())
    requests[requests.count - 1].options.retry = .standard
    gate.open()
    let count = requests.count
    try await withThrowingTaskGroup(of: Void.self) { group in
      for request in requests { group.addTask { [client] in try await client.fetch(request, .void) } }
      try await group.waitForAll()
    }
    #expect(server.requests.count == count)
    server.stop()
  }

  @Test func `an error is shared by all coalesced callers after one round of retries`() async throws {
    server.on("/failing", .status(503).held(at: gate))
    let client = FetchClient {
      $0.coalescesRequests = true
      $0.retry = .standard
      $0.random = { 0 }
    }
    let url = server.url.appending(path: "failing")
    let tasks = (0..<20).map { _ in Task { try await client.fetch(url, .string) } }
    #expect(await eventually { client.pipeline.coalescer?.memberCount == 20 })
    gate.open()
    for task in tasks {
      let error = await #expect(throws: FetchError.self) { try await task.value }
      #expect(error?.context.attempts.count == 3)
    }
    #expect(server.requests.count == 3)
    server.stop()
  }

  @Test func `coalesced callers share fresh and stale responses from the cache`() async throws {
    let control: HTTPHeaders = ["Cache-Control": "max-age=1, stale-if-error=100"]
    server.on(
      "/kept", LoopbackResponse(headers: control, body: .data(Data("kept".utf8))), .status(500).held(at: gate))
    let date = TestDate()
    let client = FetchClient {
      $0.coalescesRequests = true
      $0.cache = HTTPCache()
      $0.date = { date.now }
    }
    let url = server.url.appending(path: "kept")
    _ = try await client.fetch(url, .response)
    #expect(try await client.fetch(url, .response).source == .fresh)
    date.advance(by: 9)
    let tasks = (0..<20).map { _ in Task { try await client.fetch(url, .response) } }
    #expect(await eventually { client.pipeline.coalescer?.memberCount == 20 })
    gate.open()
    for task in tasks {
      let response = try await task.value
      #expect(response.source == .stale)
      #expect(response.body == Data("kept".utf8))
    }
    #expect(server.requests.count == 2)
    server.stop()
  }

  @Test func `a coalesced caller whose timeout expires receives the stale response that replaces the error`()
    async throws
  {
    let control: HTTPHeaders = ["Cache-Control": "max-age=1, stale-if-error=100"]
    server.on(
      "/kept", LoopbackResponse(headers: control, body: .data(Data("kept".utf8))), .text("new").held(at: gate))
    let date = TestDate()
    let client = FetchClient { [clock] in
      $0.coalescesRequests = true
      $0.cache = HTTPCache()
      $0.clock = clock
      $0.date = { date.now }
    }
    var request = HTTPRequest(.get, server.url.appending(path: "kept"))
    _ = try await client.fetch(request, .response)
    date.advance(by: 9)
    let patient = Task { [request] in try await client.fetch(request, .response) }
    #expect(await eventually { client.pipeline.coalescer?.memberCount == 1 })
    request.options.timeouts = Timeouts(total: .seconds(50))
    let hasty = Task { [request] in try await client.fetch(request, .response) }
    #expect(await eventually { client.pipeline.coalescer?.memberCount == 2 })
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(50))
    let response = try await hasty.value
    #expect(response.source == .stale)
    #expect(response.body == Data("kept".utf8))
    gate.open()
    #expect(try await patient.value.source == .network)
    server.stop()
  }

  @Test func `callers that join, end and leave concurrently leave nothing behind`() async {
    let coalescer = Coalescer<Int, Int>(TimeSource(ContinuousClock()))
    let works = Lock(0)
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<3000 {
        group.addTask {
          let end: Duration? = index.isMultiple(of: 4) ? .microseconds(index % 300) : nil
          let task = Task {
            try await coalescer.outcome(of: index % 7, until: end, nil) { _ in
              works.withLock { $0 += 1 }
              for _ in 0..<index % 5 { await Task.yield() }
              return index % 7
            }
          }
          if index.isMultiple(of: 3) { task.cancel() }
          if case .success(let value) = await task.result { #expect(value == index % 7) }
        }
      }
    }
    #expect(coalescer.isEmpty)
    #expect(works.withLock { $0 } <= 3000)
  }
}
