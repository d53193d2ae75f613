import FetchKit
import FetchKitTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct InterceptorTests {
  struct Stamp: Interceptor {
    var text: String
    func adapt(_ request: HTTPRequest) async throws -> HTTPRequest {
      var request = request
      request.headers.append(text, for: "X-Stamp")
      return request
    }
  }

  struct Decides: Interceptor {
    var decision: RetryDecision
    func decide(after error: FetchError, of request: HTTPRequest, attempt: Int) async throws -> RetryDecision {
      decision
    }
  }

  struct Hangs: Interceptor {
    func adapt(_ request: HTTPRequest) async throws -> HTTPRequest {
      // Deaf to cancellation on purpose.
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      return request
    }
  }

  struct Broken: Error {}
  struct Throws: Interceptor {
    func adapt(_ request: HTTPRequest) async throws -> HTTPRequest { throw Broken() }
  }

  private let request = HTTPRequest(.get, URL(string: "http://example.com/x") ?? URL(filePath: "/"))

  private func client(
    status: Int = 200, _ interceptors: [any Interceptor],
    _ change: (inout FetchClient.Configuration) -> Void = { _ in }
  ) -> (FetchClient, StubTransport) {
    let stub = StubTransport(status: status)
    let client = FetchClient {
      $0.transport = stub
      $0.interceptors = interceptors
      change(&$0)
    }
    return (client, stub)
  }

  private func failure(_ client: FetchClient) async -> FetchError? {
    do throws(FetchError) {
      try await client.fetch(request, .void)
      return nil
    } catch {
      return error
    }
  }

  @Test func `they adapt in order, anew for each attempt`() async {
    let (client, stub) = client(status: 503, [Stamp(text: "a"), Stamp(text: "b")]) {
      $0.retry = RetryPolicy(maxAttempts: 2)
      $0.random = { 0 }
    }
    _ = await failure(client)
    #expect(stub.requests.map { $0.headers.values(for: "x-stamp") } == [["a", "b"], ["a", "b"]])
  }

  @Test func `the first opinion on a failure counts, ten attempts are the end`() async {
    let (eager, eagerStub) = client(status: 400, [Stamp(text: "a"), Decides(decision: .retry(after: .zero))])
    _ = await failure(eager)
    #expect(eagerStub.requests.count == 10)
    let (lazy, lazyStub) = client(status: 503, [Decides(decision: .giveUp), Decides(decision: .retry(after: .zero))]) {
      $0.retry = .standard
    }
    _ = await failure(lazy)
    #expect(lazyStub.requests.count == 1)
  }

  @Test func `what they throw is told with its cause`() async {
    let (client, stub) = client([Throws()])
    guard case .interceptor(let cause, _) = await failure(client) else {
      Issue.record("not told")
      return
    }
    #expect(cause is Broken)
    #expect(stub.requests.isEmpty)
  }

  @Test func `a cancellation of their own is not the fetch's`() async {
    struct GivesUp: Interceptor {
      func adapt(_ request: HTTPRequest) async throws -> HTTPRequest { throw CancellationError() }
    }
    let (client, _) = client([GivesUp()])
    guard case .interceptor(let cause, _) = await failure(client), cause is CancellationError else {
      Issue.record("told otherwise")
      return
    }
  }

  @Test func `what they make of a request decides whether it may be sent again`() async {
    struct Changes: Interceptor {
      let change: @Sendable (inout HTTPRequest) -> Void
      func adapt(_ request: HTTPRequest) async throws -> HTTPRequest {
        var request = request
        change(&request)
        return request
      }
    }
    let toPost = Changes { ($0.method, $0.body) = (.post, .data(Data("x".utf8))) }
    let oneShot = Changes { ($0.method, $0.body) = (.put, .oneShot(AsyncStream { $0.finish() })) }
    for (change, decision) in [(toPost, .asConfigured), (oneShot, .asConfigured), (oneShot, .retry(after: .zero))]
      as [(Changes, RetryDecision)]
    {
      let (client, stub) = client(status: 503, [change, Decides(decision: decision)]) {
        $0.retry = .standard
        $0.random = { 0 }
      }
      _ = await failure(client)
      #expect(stub.requests.count == 1)
    }
  }

  @Test func `a wait they ask for that ends after the total deadline is not waited`() async {
    let clock = ManualClock()
    let (client, stub) = client(status: 503, [Decides(decision: .retry(after: .seconds(6)))]) {
      $0.clock = clock
      $0.deadlines.total = .seconds(5)
    }
    // The clock stands still: only a fetch that does not wait can end.
    guard case .timeout(.total, _) = await failure(client) else {
      Issue.record("no timeout")
      return
    }
    #expect(stub.requests.count == 1)
  }

  @Test func `neither the deadline nor a cancel waits for one that hangs`() async {
    let clock = ManualClock()
    let (client, _) = client([Hangs()]) {
      $0.clock = clock
      $0.deadlines.total = .seconds(5)
    }
    async let late = failure(client)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(5))
    guard case .timeout(.total, _) = await late else {
      Issue.record("no timeout")
      return
    }
    let task = Task { await failure(client) }
    await clock.sleepers(atLeast: 1)
    task.cancel()
    guard case .cancelled = await task.value else {
      Issue.record("not cancelled")
      return
    }
  }
}
