import FetchKit
import FetchKitTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct AttemptTimingsTests {
  @Test(arguments: TransportUnderTest.allCases)
  func `every attempt of an error and every response event has its timings`(
    kind: TransportUnderTest
  ) async throws {
    let server = try LoopbackServer()
    server.on("/a", .redirect(307, to: "/"))
    server.on("/", .status(503), LoopbackResponse.text("hello").cut(after: .body(bytes: 2), by: .reset), .status(404))
    let url = server.url.appending(path: "a")
    let notes = ObservationTests.Notes()
    let client = FetchClient {
      $0.transport = kind.transport
      $0.monitors = [notes]
      $0.retry = .standard
      $0.random = { 0 }
    }
    let error = await #expect(throws: FetchError.self) { try await client.fetch(url, .void) }
    let attempts = try #require(error?.context.attempts)
    #expect(attempts.count == 3)
    for (attempt, isAnswered) in zip(attempts, [true, false, true]) {
      let total = try #require(attempt.timings.total)
      #expect(.zero < total && total <= attempt.duration)
      if isAnswered { #expect(try #require(attempt.timings.firstByte) <= total) }
    }
    for event in notes.events.withLock({ $0 }) {
      switch event.kind {
      case .received(307, _): #expect(try #require(event.timings?.firstByte) > .zero)
      case .received(let status, _): #expect(event.timings == attempts[status == 503 ? 0 : 2].timings)
      default: #expect(event.timings == nil)
      }
    }
  }

  @Test func `a body that breaks off after its head keeps the timings of the head`() async throws {
    struct Broken: ResponseBodySource {
      func next() async throws(TransportError) -> Data? { throw .connection(.lost, detail: "") }
      func cancel() {}
    }
    let timings = TransportTimings(connect: .milliseconds(3), firstByte: .milliseconds(5), total: .milliseconds(6))
    let client = FetchClient {
      $0.transport = StubTransport { _ throws(TransportError) in
        TransportResponse(head: ResponseHead(status: 200, timings: timings), body: ResponseBody(Broken()))
      }
    }
    let error = await #expect(throws: FetchError.self) { try await client.fetch("http://a.example/", .void) }
    let known = try #require(error?.context.attempts.first).timings
    #expect((known.connect, known.firstByte) == (.milliseconds(3), .milliseconds(5)))
    #expect(known.total != nil && known.total != timings.total)
  }

  @Test func `an attempt that waited in vain for its turn has no timings`() async throws {
    let client = FetchClient {
      $0.transport = StubTransport()
      $0.rateLimit = RateLimit(1, per: .seconds(1000))
      $0.timeouts = Timeouts(total: .seconds(5))
    }
    try await client.fetch("http://a.example/", .void)
    let error = await #expect(throws: FetchError.self) { try await client.fetch("http://a.example/", .void) }
    #expect(error?.context.attempts.map(\.timings) == [TransportTimings()])
  }
}
