import FetchKit
import FetchKitTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct RetryTests {
  private let url = URL(filePath: "/").absoluteURL
  private let clock = ManualClock()

  /// A client whose stub returns these responses in turn, and whose delays are the full bounds.
  private func client(
    _ answers: [Result<Int, TransportError>], headers: HTTPHeaders = [:], random: Double = 1,
    _ change: (inout FetchClient.Configuration) -> Void = { _ in }
  ) -> (FetchClient, StubTransport) {
    let rest = Lock(answers)
    let stub = StubTransport { _ throws(TransportError) in
      let answer = rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
      return .stub(status: try answer.get(), headers: headers)
    }
    let client = FetchClient {
      $0.transport = stub
      $0.clock = clock
      $0.random = { random }
      $0.retry = .standard
      change(&$0)
    }
    return (client, stub)
  }

  private func outcome(_ client: FetchClient, _ request: HTTPRequest, sleeps: Int) async -> (Int?, FetchError?) {
    async let result = Self.run(client, request)
    for _ in 0..<sleeps {
      await clock.sleepers(atLeast: 1)
      clock.advance(by: clock.sleeps.last ?? .zero)
    }
    return await result
  }

  private static func run(_ client: FetchClient, _ request: HTTPRequest) async -> (Int?, FetchError?) {
    do throws(FetchError) {
      return (try await client.fetch(request, .response).status, nil)
    } catch {
      return (nil, error)
    }
  }

  private let request = HTTPRequest(.get, URL(string: "http://example.com/x") ?? URL(filePath: "/"))

  @Test func `a transient failure is retried after jittered delays`() async throws {
    let (client, stub) = client([.success(503), .failure(.connection(.lost, detail: "")), .success(200)], random: 0.5)
    let (status, _) = await outcome(client, request, sleeps: 2)
    #expect(status == 200)
    #expect(stub.requests.count == 3)
    #expect(clock.sleeps == [.milliseconds(250), .milliseconds(500)])
  }

  @Test func `the last error reports every attempt`() async throws {
    let (client, _) = client([.success(503)])
    let (_, error) = await outcome(client, request, sleeps: 2)
    guard case .status(let failure, let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(failure.status == 503)
    #expect(context.attempts.count == 3)
    #expect(error?.description.contains("after 3 attempts") == true)
  }

  @Test func `a fetch waits exactly as long as Retry-After says`() async throws {
    let (client, _) = client([.success(429), .success(200)], headers: ["Retry-After": "7"], random: 0.1)
    let (status, _) = await outcome(client, request, sleeps: 1)
    #expect(status == 200)
    #expect(clock.sleeps == [.seconds(7)])
  }

  @Test(
    arguments: [
      (403, ["Retry-After": "7"], 7), (403, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1000000009"], 9),
      (429, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1000000009"], 9),
      (403, ["RateLimit-Remaining": "0", "RateLimit-Reset": "8"], 8), (403, [:], nil),
      (403, ["X-RateLimit-Remaining": "12", "X-RateLimit-Reset": "8"], nil),
      (401, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "8"], nil),
    ] as [(Int, HTTPHeaders, Int?)])
  func `a 403 is retried only if it limits the rate, and then when the server says`(
    status: Int, headers: HTTPHeaders, delay: Int?
  ) async throws {
    let (client, stub) = client([.success(status), .success(200)], headers: headers) {
      $0.date = { Date(timeIntervalSince1970: 1_000_000_000) }
    }
    let (final, error) = await outcome(client, request, sleeps: delay == nil ? 0 : 1)
    #expect(final == (delay == nil ? nil : 200))
    #expect(clock.sleeps == (delay.map { [.seconds($0)] } ?? []))
    #expect(stub.requests.count == (delay == nil ? 1 : 2))
    if let error { #expect(!error.isRetryable) }
    #expect(StatusFailure(status: status, headers: headers).isRetryable == (delay != nil))
  }

  @Test func `a policy that does not retry a 429 does not retry a rate limit with status 403`() async {
    let (client, stub) = client([.success(403)], headers: ["Retry-After": "7"]) { $0.retry.statuses = [503] }
    _ = await outcome(client, request, sleeps: 0)
    #expect(stub.requests.count == 1)
  }

  @Test func `a POST is retried only if it is declared repeatable or nothing was sent`() async throws {
    let post = HTTPRequest(.post, request.url, body: .data(Data("x".utf8)))
    let (strict, strictStub) = client([.success(503)])
    _ = await outcome(strict, post, sleeps: 0)
    #expect(strictStub.requests.count == 1)
    #expect(strictStub.requests[0].allowsResend == false)

    let (refused, refusedStub) = client([.failure(.connection(.refused, detail: "")), .success(200)])
    _ = await outcome(refused, post, sleeps: 1)
    #expect(refusedStub.requests.count == 2)

    for idempotency in [Idempotency.declared, .key("k"), .generatedKey] {
      var declared = post
      declared.options.idempotency = idempotency
      let (client, stub) = client([.success(503), .success(200)])
      let (status, _) = await outcome(client, declared, sleeps: 1)
      #expect(status == 200)
      let keys = stub.requests.map { $0.headers["Idempotency-Key"] }
      #expect(keys.count == 2 && keys[0] == keys[1], "the same key on every attempt")
      #expect((keys[0] == nil) == (idempotency == .declared))
      #expect(stub.requests.map(\.allowsResend) == [true, true])
    }
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `a POST that was answered with a redirect to nowhere was sent, and is not sent again`(status: Int) async throws {
    for fault in [
      TransportError.connection(.refused, detail: ""), .connection(.nameNotResolved, detail: ""), .timeout(.connect),
    ] {
      let stub = StubTransport { request throws(TransportError) in
        guard request.url.path == "/x" else { throw fault }
        return .stub(status: status, headers: ["Location": "http://elsewhere.example/y"])
      }
      let client = FetchClient {
        $0.transport = stub
        $0.retry = .standard
        $0.random = { 0 }
      }
      let post = HTTPRequest(.post, request.url, body: .data(Data("x".utf8)))
      let (_, error) = await Self.run(client, post)
      #expect(error?.context.attempts.count == 1)
      #expect(stub.requests.map(\.url.path) == ["/x", "/y"])
      let (_, second) = await Self.run(client, request)
      #expect(second?.context.attempts.count == 3, "a GET may still be sent again")
    }
  }

  @Test func `the redirects of an attempt share its timeout`() async throws {
    let clock = clock
    let stub = StubTransport { request throws(TransportError) in
      clock.advance(by: .seconds(4))
      let step = Int(request.url.lastPathComponent) ?? 0
      return .stub(status: step < 3 ? 302 : 200, headers: step < 3 ? ["Location": "/\(step + 1)"] : [:])
    }
    let client = FetchClient {
      $0.transport = stub
      $0.clock = clock
      $0.retry = .standard
      $0.retry.maxAttempts = 2
      $0.retry.attemptTimeout = .seconds(10)
      $0.random = { 0 }
    }
    let (_, error) = await Self.run(client, HTTPRequest(.get, try #require(URL(string: "http://example.com/0"))))
    guard case .timeout(.total, let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.attempts.count == 2)
    #expect(stub.requests.map(\.timeouts.total) == [10, 6, 2, 10, 6, 2].map { .seconds($0) })
  }

  @Test func `one idempotency key covers a fetch's attempts, interceptor retries and redirects`() async throws {
    struct Again: Interceptor {
      func decide(after error: FetchError, of request: HTTPRequest, attempt: Int) async throws -> RetryDecision {
        attempt == 1 ? .retry(after: .zero) : .asConfigured
      }
    }
    let answers = Lock([503, 503, 307, 200])
    let stub = StubTransport { _ in
      let status = answers.withLock { $0.isEmpty ? 200 : $0.removeFirst() }
      return .stub(status: status, headers: status == 307 ? ["Location": "/y"] : [:])
    }
    let client = FetchClient {
      $0.transport = stub
      $0.retry = .standard
      $0.random = { 0 }
      $0.interceptors = [Again()]
    }
    var post = HTTPRequest(.post, request.url, body: .data(Data("x".utf8)))
    post.options.idempotency = .generatedKey
    try await client.fetch(post, .void)
    #expect(stub.requests.map(\.url.path) == ["/x", "/x", "/x", "/y"])
    let keys = Set(stub.requests.map { $0.headers["Idempotency-Key"] })
    #expect(keys.count == 1 && keys.first??.isEmpty == false)
    try await client.fetch(post, .void)
    #expect(stub.requests.last?.headers["Idempotency-Key"] != keys.first, "another fetch has another key")
    post.options.idempotency = .key("k")
    post.headers["idempotency-key"] = "mine"
    try await client.fetch(post, .void)
    #expect(stub.requests.last?.headers.values(for: "Idempotency-Key") == ["k"])
  }

  @Test func `waiting for a permit counts towards the total timeout and not the idle timeout`() async throws {
    let gate = Lock<CheckedContinuation<Void, Never>?>(nil)
    let (isHeld, holds) = AsyncStream<Void>.makeStream()
    let stub = StubTransport { request throws(TransportError) in
      if request.url.path == "/first" {
        await withCheckedContinuation { waiter in
          gate.withLock { $0 = waiter }
          holds.yield()
        }
      }
      return .stub()
    }
    let client = FetchClient {
      $0.transport = stub
      $0.clock = clock
      $0.concurrency = ConcurrencyLimits(total: 1, perHost: 1)
      $0.timeouts = Timeouts(connect: .seconds(2), idle: .seconds(3), total: .seconds(20))
    }
    async let first: Void = client.fetch("http://example.com/first", .void)
    for await _ in isHeld { break }
    async let second: Void = client.fetch(request, .void)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(15))
    gate.withLock { $0 }?.resume()
    _ = try await (first, second)
    let timeouts = try #require(stub.requests.last).timeouts
    #expect(timeouts.total == .seconds(5))
    #expect(timeouts.idle == .seconds(3) && timeouts.connect == .seconds(2))
  }

  @Test func `a one-shot body is sent once`() async throws {
    var put = HTTPRequest(.put, request.url, body: .oneShot(AsyncStream { $0.finish() }))
    put.options.idempotency = .declared
    let (client, stub) = client([.failure(.connection(.refused, detail: ""))])
    _ = await outcome(client, put, sleeps: 0)
    #expect(stub.requests.count == 1)
    #expect(stub.requests[0].allowsResend == false)
  }

  @Test func `a retry delay beyond the total timeout is not begun`() async throws {
    let (client, stub) = client([.success(503)], headers: ["Retry-After": "30"]) { $0.timeouts.total = .seconds(20) }
    let (_, error) = await outcome(client, request, sleeps: 0)
    guard case .status = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(stub.requests.count == 1)
  }

  @Test func `each attempt's timeout is the rest of the total, capped`() async throws {
    let (client, stub) = client([.success(503), .success(200)], headers: ["Retry-After": "10"]) {
      $0.timeouts.total = .seconds(20)
      $0.retry.attemptTimeout = .seconds(15)
    }
    _ = await outcome(client, request, sleeps: 1)
    #expect(stub.requests.map(\.timeouts.total) == [.seconds(15), .seconds(10)])
  }

  @Test func `all delays together are capped, and a longer Retry-After ends the retries`() async throws {
    let (client, stub) = client([.success(503)], headers: ["Retry-After": "10"]) {
      $0.retry.maxAttempts = 9
      $0.retry.maxTotalDelay = .seconds(25)
    }
    _ = await outcome(client, request, sleeps: 2)
    #expect(stub.requests.count == 3)
    var impatient = request
    impatient.options.retry = RetryPolicy(maxAttempts: 3)
    impatient.options.retry?.maxRetryAfter = .seconds(9)
    _ = await outcome(client, impatient, sleeps: 0)
    #expect(stub.requests.count == 4)
  }

  @Test func `a host's retry budget ends the retries of all its fetches`() async throws {
    let (client, stub) = client([.success(503)]) { $0.retry.budget = RetryBudget(retryRatio: 0, minimumRetries: 3) }
    for sleeps in [2, 1, 0, 0] { _ = await outcome(client, request, sleeps: sleeps) }
    #expect(stub.requests.count == 4 + 3)
    let elsewhere = HTTPRequest(.get, try #require(URL(string: "http://example.org/x")))
    _ = await outcome(client, elsewhere, sleeps: 2)
    #expect(stub.requests.count == 7 + 3, "another host has its own budget")
  }

  @Test func `cancelling during a retry delay ends the fetch with a cancellation`() async throws {
    let (client, stub) = client([.success(503)])
    let task = Task { await Self.run(client, request) }
    await clock.sleepers(atLeast: 1)
    task.cancel()
    guard case .cancelled(let context) = await task.value.1 else {
      Issue.record("the fetch was not cancelled")
      return
    }
    #expect(context.attempts.count == 1)
    #expect(stub.requests.count == 1)
  }

  @Test func `requests are retried only if configured, and a request can override the client`() async throws {
    let (client, stub) = client([.success(503)]) { $0.retry = .none }
    _ = await outcome(client, request, sleeps: 0)
    #expect(stub.requests.count == 1)
    var eager = request
    eager.options.retry = RetryPolicy(maxAttempts: 2)
    _ = await outcome(client, eager, sleeps: 1)
    #expect(stub.requests.count == 3)
  }
}
