import FetchKit
import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct LatestFetchTests {
  let clock = ManualClock()

  /// Records the deliveries, so that a test can wait for them.
  final class Deliveries: Sendable {
    let all = Lock([String]())
    let events = Events()

    func add(_ text: String) {
      all.withLock { $0.append(text) }
      Task { await events.add() }
    }
  }

  @Test func `30 debounced keystrokes send one request, and only the last result is delivered`() async throws {
    let server = try LoopbackServer()
    server.on("/search") { .text("found \($0.query("q") ?? "")") }
    let client = FetchClient()
    let deliveries = Deliveries()
    let search = LatestFetch(client, .string, pace: .debounce(.milliseconds(300)), clock: clock) { text in
      server.url.appending(path: "search").appending(queryItems: [URLQueryItem(name: "q", value: text)])
    } deliver: { (text: String, result: Result<String, FetchError>) in
      deliveries.add("\(text): \((try? result.get()) ?? "failed")")
    }
    let text = "a quiet film about a lot of it"
    for length in 1...30 {
      search(String(text.prefix(length)))
      #expect(await eventually { clock.sleeps.count >= length })
      clock.advance(by: .milliseconds(120))
    }
    clock.advance(by: .milliseconds(180))
    await deliveries.events.wait(for: 1)
    #expect(deliveries.all.withLock { $0 } == ["\(text): found \(text)"])
    #expect(server.requests.count == 1)
  }

  @Test func `a new input cancels the current request, and no old result is delivered`() async throws {
    let server = try LoopbackServer()
    server.on("/old", .text("old").held(at: LoopbackGate()))
    server.on("/new", .text("new"))
    let client = FetchClient()
    let deliveries = Deliveries()
    let search = LatestFetch(client, .string) { path in
      server.url.appending(path: path)
    } deliver: { (path: String, result: Result<String, FetchError>) in
      deliveries.add("\(path): \((try? result.get()) ?? "failed")")
    }
    search("old")
    await server.requests(atLeast: 1)
    search("new")
    await deliveries.events.wait(for: 1)
    #expect(deliveries.all.withLock { $0 } == ["new: new"])
    // The gate stays closed: only the client can have closed the old request's connection.
    #expect(await eventually { server.openConnections <= 1 })
  }

  @Test func `a failure of the latest input is delivered, a cancellation is not`() async {
    let deliveries = Deliveries()
    let began = Events()
    let stub = StubTransport(status: 500)
    let client = FetchClient { $0.transport = stub }
    let search = LatestFetch { (text: String) throws(FetchError) in
      await began.add()
      return try await client.fetch("http://example.com/", .string)
    } deliver: { (text: String, result: Result<String, FetchError>) in
      deliveries.add("\(text): \(result.isFailure)")
    }
    search("fails")
    await deliveries.events.wait(for: 1)
    search("is cancelled")
    search.cancel()
    search("fails again")
    await deliveries.events.wait(for: 2)
    #expect(deliveries.all.withLock { $0 } == ["fails: true", "fails again: true"])
  }

  @MainActor final class Screen {
    var typed = ""
    var shown: [String] = []
    var wrong = 0
    func show(_ text: String) {
      if text != typed { wrong += 1 }
      shown.append(text)
    }
  }

  @Test @MainActor func `on the main actor no result of an older input ever shows`() async {
    let screen = Screen()
    let delivered = Events()
    let search = LatestFetch { (text: String) throws(FetchError) in
      for _ in 0..<(text.count % 3) { await Task.yield() }
      return text
    } deliver: { @MainActor (text: String, result: Result<String, FetchError>) in
      screen.show(text)
      if text == "last" { Task { await delivered.add() } }
    }
    for round in 0..<500 {
      screen.typed = String(repeating: "x", count: round % 7) + "\(round)"
      search(screen.typed)
      for _ in 0..<(round % 5) { await Task.yield() }
    }
    screen.typed = "last"
    search("last")
    await delivered.wait(for: 1)
    #expect(screen.wrong == 0)
    #expect(screen.shown.last == "last")
    #expect(Set(screen.shown).count == screen.shown.count)
  }

  @Test func `throttle searches the first input immediately and the last after the interval`() async {
    let deliveries = Deliveries()
    let search = LatestFetch(pace: .throttle(.seconds(1)), clock: clock) { (text: String) throws(FetchError) in
      text
    } deliver: { (text: String, _: Result<String, FetchError>) in
      deliveries.add(text)
    }
    search("a")
    await deliveries.events.wait(for: 1)
    search("ab")
    search("abc")
    await clock.sleepers(atLeast: 1)
    #expect(clock.sleeps.last == .seconds(1))
    #expect(await eventually { clock.sleeps.count >= 2 })
    clock.advance(by: .seconds(1))
    await deliveries.events.wait(for: 2)
    #expect(deliveries.all.withLock { $0 } == ["a", "abc"])
  }

  @Test func `releasing a latest-only fetch cancels its request`() async {
    let began = Events()
    let ended = Events()
    var search: LatestFetch<Int, Int>? = LatestFetch { (number: Int) throws(FetchError) in
      await began.add()
      try? await Task.sleep(for: .seconds(3600))
      await ended.add()
      return number
    } deliver: { _, _ in
      Issue.record("a result was delivered")
    }
    search?(1)
    await began.wait(for: 1)
    search = nil
    await ended.wait(for: 1)
  }
}

extension Result {
  fileprivate var isFailure: Bool { if case .failure = self { true } else { false } }
}
