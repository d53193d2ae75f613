#if os(Linux)
import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

import FetchKit

/// Responses generated from the grammar of RFC 9112 with a seed and then corrupt, each between two known requests.
///
/// `LARDER_WILD` sets how many, `LARDER_SEED` repeats a run.
@Suite(.timeLimit(.minutes(30))) struct WildResponseTests {
  @Test(arguments: [TransportUnderTest.curl, .urlSession])
  func `a malformed response has one outcome, and the requests around it receive their own responses`(
    kind: TransportUnderTest
  ) async throws {
    let environment = ProcessInfo.processInfo.environment
    let seed = environment["LARDER_SEED"].flatMap { UInt64($0) } ?? .random(in: 0..<1_000_000)
    let count = environment["LARDER_WILD"].flatMap { Int($0) } ?? 200
    print("malformed responses by \(kind): seed \(seed)")
    let server = try LoopbackServer()
    let transport = try kind.makeTransport()
    server.on("/known/{n}") { .text("known \($0.parameters["n"] ?? "")") }
    let next = Lock(WildResponse(script: [], text: ""))
    let end = Lock(LoopbackGate())
    server.on("/wild") { _ in
      // An open gate delays nothing, and records that it was reached.
      var script = next.withLock(\.script)
      let isEnded = if case .end = script.last { true } else { false }
      script.insert(.hold(end.withLock(\.self)), at: script.count - (isEnded ? 1 : 0))
      return .bytes(script)
    }
    var outcomes: [String: Int] = [:]
    for round in 0..<count {
      // Each from its own seed, so that one can be repeated alone.
      var generator = WildGenerator(seed &* 1_000_003 &+ UInt64(round))
      var wild = generator.response()
      if kind == .urlSession {
        guard let tamed = wild.survivedByURLSession else { continue }
        wild = tamed
      }
      next.withLock { $0 = wild }
      for delivery in [TransportRequest.Delivery.whole, .stream] {
        var request = TransportRequest(.get, server.url.appending(path: "wild"), delivery: delivery)
        request.allowsResend = false
        request.limits = ResponseLimits(headers: 64 << 10, body: 1 << 20)
        request.timeouts = Timeouts(connect: .seconds(10), idle: .milliseconds(100), total: nil)
        let gate = LoopbackGate()
        gate.open()
        end.withLock { $0 = gate }
        let outcome = await transport.outcome(of: request)
        // Bytes still in transit when the next request is sent cannot be distinguished from its response. If the client
        // has closed the connection before, there are none.
        let deadline = ContinuousClock.now + .milliseconds(100)
        while !gate.isReached, ContinuousClock.now < deadline { await Task.yield() }
        switch outcome {
        case .response(let status, let text):
          #expect(!text.contains("known "), "seed \(seed), round \(round): \(wild.text)")
          outcomes["\(status)", default: 0] += 1
        case .failed(let word): outcomes[word, default: 0] += 1
        }
        let known = await transport.outcome(of: server.url.appending(path: "known/\(round)"))
        #expect(known == .response(200, "known \(round)"), "seed \(seed), round \(round): \(wild.text)")
      }
    }
    print(
      "wild responses: \(outcomes.sorted { $0.value > $1.value }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))"
    )
    // It is found in both.
    let (good, malformed) = (outcomes["200", default: 0], outcomes["malformed", default: 0])
    #expect(good > count / 10 && malformed > (kind == .urlSession ? 0 : count / 20))
  }
}
#endif
