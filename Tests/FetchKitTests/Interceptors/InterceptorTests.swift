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
      // Ignores cancellation on purpose.
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      return request
    }
  }

  /// Sends every request to another host, without the options that it had.
  struct Moves: Interceptor {
    func adapt(_ request: HTTPRequest) async throws -> HTTPRequest {
      HTTPRequest(.get, URL(string: "http://mirror.example/x") ?? request.url)
    }
  }

  struct TestError: Error {}
  struct Throws: Interceptor {
    func adapt(_ request: HTTPRequest) async throws -> HTTPRequest { throw TestError() }
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

  @Test(arguments: [false, true])
  func `the retry budget is that of the host in the caller's request`(coalesces: Bool) async {
    let (client, stub) = client(status: 503, [Moves()]) {
      $0.coalescesRequests = coalesces
      $0.retry = RetryPolicy(maxAttempts: 9)
      $0.retry.baseDelay = .zero
      $0.retry.budget = RetryBudget(retryRatio: 0, minimumRetries: 2)
    }
    for host in ["a", "b"] {
      guard let url = URL(string: "http://\(host).example/x") else { return }
      await #expect(throws: FetchError.self) { try await client.fetch(url, .void) }
    }
    #expect(stub.requests.count == 6, "each of the two hosts has two retries")
    #expect(stub.requests.allSatisfy { $0.url.host() == "mirror.example" })
  }

  @Test(arguments: [false, true])
  func `an adapted request without a redirect policy uses the client's`(coalesces: Bool) async {
    let stub = StubTransport(status: 302, headers: ["Location": "http://mirror.example/y"])
    let client = FetchClient {
      $0.transport = stub
      $0.interceptors = [Moves()]
      $0.coalescesRequests = coalesces
      $0.redirects = .ignore
    }
    var request = request
    request.options.redirects = .follow
    await #expect(throws: FetchError.self) { try await client.fetch(request, .void) }
    #expect(stub.requests.count == 1)
  }

  @Test func `interceptors adapt a request in order, again for each attempt`() async {
    let (client, stub) = client(status: 503, [Stamp(text: "a"), Stamp(text: "b")]) {
      $0.retry = RetryPolicy(maxAttempts: 2)
      $0.random = { 0 }
    }
    _ = await failure(client)
    #expect(stub.requests.map { $0.headers.values(for: "x-stamp") } == [["a", "b"], ["a", "b"]])
  }

  @Test func `the first interceptor's decision counts, and ten attempts are the limit`() async {
    let (eager, eagerStub) = client(status: 400, [Stamp(text: "a"), Decides(decision: .retry(after: .zero))])
    _ = await failure(eager)
    #expect(eagerStub.requests.count == 10)
    let (lazy, lazyStub) = client(status: 503, [Decides(decision: .giveUp), Decides(decision: .retry(after: .zero))]) {
      $0.retry = .standard
    }
    _ = await failure(lazy)
    #expect(lazyStub.requests.count == 1)
  }

  @Test func `an error thrown by an interceptor is reported as the cause`() async {
    let (client, stub) = client([Throws()])
    guard case .interceptor(let cause, _) = await failure(client) else {
      Issue.record("the error is not an interceptor error")
      return
    }
    #expect(cause is TestError)
    #expect(stub.requests.isEmpty)
  }

  @Test func `a CancellationError thrown by an interceptor is not a cancellation of the fetch`() async {
    struct GivesUp: Interceptor {
      func adapt(_ request: HTTPRequest) async throws -> HTTPRequest { throw CancellationError() }
    }
    let (client, _) = client([GivesUp()])
    guard case .interceptor(let cause, _) = await failure(client), cause is CancellationError else {
      Issue.record("the error is not an interceptor error with a CancellationError")
      return
    }
  }

  @Test func `the request that interceptors produce decides whether it may be sent again`() async {
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

  @Test func `an interceptor's delay beyond the total timeout is not waited for`() async {
    let clock = ManualClock()
    let (client, stub) = client(status: 503, [Decides(decision: .retry(after: .seconds(6)))]) {
      $0.clock = clock
      $0.timeouts.total = .seconds(5)
    }
    // The clock does not advance: only a fetch that does not wait can end.
    guard case .timeout(.total, _) = await failure(client) else {
      Issue.record("the fetch did not time out")
      return
    }
    #expect(stub.requests.count == 1)
  }

  @Test func `neither a timeout nor a cancel waits for an interceptor that hangs`() async {
    let clock = ManualClock()
    let (client, _) = client([Hangs()]) {
      $0.clock = clock
      $0.timeouts.total = .seconds(5)
    }
    async let late = failure(client)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(5))
    guard case .timeout(.total, _) = await late else {
      Issue.record("the fetch did not time out")
      return
    }
    let task = Task { await failure(client) }
    await clock.sleepers(atLeast: 1)
    task.cancel()
    guard case .cancelled = await task.value else {
      Issue.record("the fetch was not cancelled")
      return
    }
  }
}
