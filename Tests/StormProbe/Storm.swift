import FetchKit
import FetchKitTesting
import Foundation
import TestSupport

/// Many requests with random cancels and deadlines over mixed faults.
struct Storm: Sendable {
  private static let paths = [
    "ok", "ok", "ok", "missing", "slow", "drip", "cut", "gone", "reset", "stall", "chain", "busy", "secret", "big",
    "kept", "kept", "kept", "tagged", "tagged", "renewed", "varied",
  ]

  let transport: TransportName
  /// With a cache in memory and files, and requests shared.
  let keeps: Bool
  let count: Int
  let seed: UInt64
  /// Where the cache keeps its files.
  let folder: URL

  /// What a runtime keeps of its own, whatever the number of requests. URLSession on Linux leaves up to 144 bytes a
  /// request behind, the parts of its URL, in programs without anything of ours too: a fifth is granted, which is less
  /// than an object of ours left by each request would take.
  private var keptBytes: Int {
    #if os(Linux)
    (1 << 20) + (transport == .urlSession ? 32 * count : 0)
    #else
    1 << 20
    #endif
  }

  /// What was measured, in words.
  ///
  /// - Throws: What did not hold.
  func run() async throws -> String {
    // Two rounds open and grow what stays for the life of the process.
    for warmUp in 1...2 as ClosedRange<UInt64> { try await round(min(count, 1000), seed &+ warmUp) }
    var before = Leftovers.now()
    while true {
      let memory = try MemoryGrowth()
      try await round(count, seed)
      // What is needed goes by how many are under way, not by how many there were. URLSession on Linux cannot hold
      // back those forty.
      let growth = try memory.bytes
      if growth > (transport == .urlSession ? 256 : 64) << 20 { throw Problem("memory grew by \(growth) bytes") }
      let after = await Leftovers.settled(to: before, kept: keptBytes)
      // URLSession says to nobody when its sockets are closed. Fewer than before: some of the warm-up's were counted.
      guard after.descriptors < before.descriptors else {
        if let difference = before.difference(now: after, kept: keptBytes) { throw Problem(difference) }
        return "memory grew by \(growth >> 10) KB at its peak, \(after.growth(over: before)) left over"
      }
      before = after
    }
  }

  /// One client with a transport of its own, from its first request to the end of both.
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
        $0.sharesRequests = keeps
      }
      (left, leftTransport) = (client, transport)
      try await storm(client, server.url, count, seed)
    }
    await cache?.settled()
    // A task that still ran would hold the client, a request under way its transport. Nothing tells of the end of
    // either, so they are looked at again and again: what is there after ten seconds stays.
    for _ in 0..<1000 where left != nil || leftTransport != nil { try await Task.sleep(for: .milliseconds(10)) }
    if left != nil { throw Problem("something still holds the client") }
    if leftTransport != nil { throw Problem("something still holds the transport") }
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
      request.options.deadlines = Deadlines(idle: .milliseconds(100), total: .milliseconds(deadline))
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
    if !wrong.isEmpty { throw Problem("\(wrong.count) did not end exactly once") }
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
