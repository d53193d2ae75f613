import FetchKit
import FetchKitTesting
import Foundation
import LarderTestSupport

/// Many requests with random cancels and timeouts over mixed faults.
struct Storm: Sendable {
  private static let paths = [
    "ok", "ok", "ok", "missing", "slow", "drip", "cut", "gone", "reset", "stall", "chain", "busy", "secret", "big",
    "kept", "kept", "kept", "tagged", "tagged", "renewed", "varied",
  ]

  let transport: TransportName
  /// With a cache in memory and files, and coalesced requests.
  let keeps: Bool
  let count: Int
  let seed: UInt64
  /// The folder of the cache.
  let folder: URL

  /// The memory that a runtime retains, whatever the number of requests. URLSession on Linux leaks up to 144 bytes a
  /// request, the parts of its URL, even in programs without any code of ours: a fifth is allowed, which is less
  /// than an object of ours leaked by each request would take.
  private var keptBytes: Int {
    #if os(Linux)
    (1 << 20) + (transport == .urlSession ? 32 * count : 0)
    #else
    1 << 20
    #endif
  }

  /// The measurements, in words.
  ///
  /// - Throws: The first check that failed.
  func run() async throws -> String {
    // Two rounds allocate and grow what stays for the life of the process.
    for warmUp in 1...2 as ClosedRange<UInt64> { try await round(min(count, 1000), seed &+ warmUp) }
    var before = Leftovers.now()
    while true {
      let memory = try MemoryGrowth()
      try await round(count, seed)
      // The memory needed depends on how many requests are in flight, not on their total. URLSession on Linux cannot
      // hold back those forty.
      let growth = try memory.bytes
      if growth > (transport == .urlSession ? 256 : 64) << 20 { throw StormError("memory grew by \(growth) bytes") }
      let after = await Leftovers.settled(to: before, kept: keptBytes)
      // URLSession does not report when its sockets are closed. Fewer than before: some of the warm-up's were counted.
      guard after.descriptors < before.descriptors else {
        if let difference = before.difference(now: after, kept: keptBytes) { throw StormError(difference) }
        return "memory grew by \(growth >> 10) KB at its peak, \(after.growth(over: before)) left over"
      }
      before = after
    }
  }

  /// One client with its own transport, from its first request to the end of both.
  private func round(_ count: Int, _ seed: UInt64) async throws {
    let server = try Self.server()
    let files = folder.appending(path: UUID().uuidString)
    let cache = keeps ? try HTTPCache(directory: files) { $0.memoryBytes = 1 << 20 } : nil
    weak var left: FetchClient?
    weak var leftTransport: AnyObject?
    do {
      let transport = try transport.make()
      let client = FetchClient {
        $0.transport = transport
        $0.retry = .standard
        $0.retry.baseDelay = .milliseconds(5)
        $0.concurrency = ConcurrencyLimits(total: 100, perHost: 40)
        $0.limits.body = 200_000
        $0.cache = cache
        $0.coalescesRequests = keeps
      }
      (left, leftTransport) = (client, transport)
      try await storm(client, server.url, count, seed)
    }
    await cache?.waitUntilIdle()
    // A running task would retain the client, a request in flight its transport. The end of either has no event, so
    // both are checked repeatedly: what still exists after ten seconds stays.
    for _ in 0..<1000 where left != nil || leftTransport != nil { try await Task.sleep(for: .milliseconds(10)) }
    if left != nil { throw StormError("the client is still retained") }
    if leftTransport != nil { throw StormError("the transport is still retained") }
    await server.allConnectionsClosed()
    server.stop()
  }

  private func storm(_ client: FetchClient, _ root: URL, _ count: Int, _ seed: UInt64) async throws {
    var generator = SplitMix(seed: seed)
    let calls = Lock(Array(repeating: 0, count: count))
    let gate = Slots(300)
    for index in 0..<count {
      await gate.take()
      let path = Self.paths.randomElement(using: &generator) ?? "ok"
      let method: HTTPMethod = Int.random(in: 0..<30, using: &generator) == 0 ? .delete : .get
      var request = HTTPRequest(method, root.appending(path: path))
      if path == "varied" { request.headers["Accept"] = "\(Int.random(in: 0..<5, using: &generator))" }
      let deadline = Int.random(in: 1...200, using: &generator)
      request.options.timeouts = Timeouts(idle: .milliseconds(100), total: .milliseconds(deadline))
      request.options.priority = RequestPriority.allCases.randomElement(using: &generator) ?? .normal
      let task = client.fetch(request, .data) { _ in
        calls.withLock { $0[index] += 1 }
        Task { await gate.give() }
      }
      if Int.random(in: 0..<4, using: &generator) == 0 {
        let pause = Int.random(in: 0...20, using: &generator)
        Task {
          try? await Task.sleep(for: .milliseconds(pause))
          task.cancel()
        }
      }
    }
    await gate.takeAll()
    let wrong = calls.withLock { calls in calls.indices.filter { calls[$0] != 1 } }
    if !wrong.isEmpty { throw StormError("\(wrong.count) did not end exactly once") }
  }

  private static func server() throws -> LoopbackServer {
    let server = try LoopbackServer()
    let hello = LoopbackResponse.text("hello")
    server.on("/ok", hello)
    server.on("/slow", hello.delayed(by: .milliseconds(30)))
    server.on("/drip", hello.dripping(every: .milliseconds(20)))
    server.on("/cut", hello.cut(after: .body(bytes: 2)))
    server.on("/gone", hello.cut(after: .start))
    server.on("/reset", hello.cut(after: .body(bytes: 3), by: .reset))
    server.on("/stall", hello.cut(after: .start, by: .stall))
    server.on("/chain", .redirect(302, to: "/chain/1"))
    server.on("/chain/1", .redirect(307, to: "/ok"))
    server.on("/kept", LoopbackResponse(headers: ["Cache-Control": "max-age=1"], body: .data(Data("hello".utf8))))
    server.on(
      "/varied",
      LoopbackResponse(headers: ["Cache-Control": "max-age=60", "Vary": "Accept"], body: .data(Data(count: 999))))
    server.serve(Data(count: 5000), at: "/tagged", etag: "\"1\"")
    server.serve(Data(count: 5000), at: "/renewed", etag: "\"1\"") { _, response in
      var response = response
      response.headers["Cache-Control"] = "max-age=0, stale-while-revalidate=60"
      return response
    }
    server.on("/busy", .status(503, headers: ["Retry-After": "0"]))
    server.on("/secret", .status(401, headers: ["WWW-Authenticate": "Basic realm=\"x\""]))
    server.on("/big", LoopbackResponse(body: .repeated(Data(count: 1000), count: 1000)).chunked())
    return server
  }
}
