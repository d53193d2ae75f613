import FetchKit
import FetchKitTesting
import Foundation
import LarderTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct AuthenticatorTests {
  struct RefreshError: Error {}

  private let request = HTTPRequest(.get, URL(string: "http://example.com/x") ?? URL(filePath: "/"))

  /// Accepts one token; everything else is a 401.
  private func stub(accepting token: Lock<Int>) -> StubTransport {
    StubTransport { request in
      let isRight = token.withLock { request.headers["Authorization"] == "token \($0)" }
      return .stub(status: isRight ? 200 : 401)
    }
  }

  private func authenticator(
    _ current: Int?, refresh: @escaping @Sendable (Int?) async throws -> Int
  ) -> Authenticator<Int> {
    Authenticator(
      current: current, apply: { token, request in request.headers["Authorization"] = "token \(token)" },
      refresh: refresh)
  }

  private func client(_ stub: StubTransport, _ authenticator: Authenticator<Int>) -> FetchClient {
    FetchClient {
      $0.transport = stub
      $0.interceptors = [authenticator]
      $0.concurrency = ConcurrencyLimits(total: 200, perHost: 200)
    }
  }

  private func failures(of count: Int, _ client: FetchClient) async -> [FetchError] {
    await withTaskGroup(of: FetchError?.self) { [request] group in
      for _ in 0..<count {
        group.addTask {
          do throws(FetchError) {
            try await client.fetch(request, .void)
            return nil
          } catch {
            return error
          }
        }
      }
      return await group.reduce(into: []) { all, error in if let error { all.append(error) } }
    }
  }

  @Test func `a hundred rejected requests cause one credential refresh`() async {
    let stub = stub(accepting: Lock(2))
    let refreshes = Lock(0)
    let tokens = authenticator(1) { old in
      refreshes.withLock { $0 += 1 }
      #expect(await eventually { stub.requests.count >= 100 })
      return (old ?? 0) + 1
    }
    #expect(await failures(of: 100, client(stub, tokens)).isEmpty)
    #expect(refreshes.withLock { $0 } == 1)
    #expect(tokens.current == 2)
  }

  @Test func `without credentials a refresh precedes the first request`() async {
    let stub = stub(accepting: Lock(1))
    let tokens = authenticator(nil) { old in
      #expect(old == nil)
      return 1
    }
    #expect(await failures(of: 10, client(stub, tokens)).isEmpty)
    #expect(stub.requests.count == 10)
  }

  @Test func `a failed refresh fails all waiters, and the next request refreshes again`() async {
    let accepted = Lock(2)
    let stub = stub(accepting: accepted)
    let refreshes = Lock(0)
    let tokens = authenticator(1) { _ in
      let count = refreshes.withLock { count in
        count += 1
        return count
      }
      #expect(await eventually { stub.requests.count >= 50 })
      if count == 1 { throw RefreshError() }
      return 2
    }
    let client = client(stub, tokens)
    let errors = await failures(of: 50, client)
    #expect(errors.count == 50)
    for error in errors {
      guard case .authentication(let cause, _) = error else {
        Issue.record("\(error)")
        continue
      }
      #expect(cause is RefreshError)
    }
    #expect(refreshes.withLock { $0 } == 1)
    #expect(await failures(of: 1, client).isEmpty)
    #expect(refreshes.withLock { $0 } == 2)
  }

  @Test(arguments: [true, false]) func `a token that the server has rejected is not sent again`(
    isLater: Bool
  ) async throws {
    let stub = stub(accepting: Lock(2))
    let refreshes = Lock(0)
    let tokens = authenticator(1) { _ in
      let count = refreshes.withLock { count in
        count += 1
        return count
      }
      if count < 3 { throw RefreshError() }
      return 2
    }
    let client = client(stub, tokens)
    #expect(await failures(of: 1, client).count == 1)
    #expect(stub.requests.count == 1)
    if isLater {
      // Transient: each request tries again to get a new token before it is sent.
      let errors = await failures(of: 1, client)
      guard case .authentication(let cause, _)? = errors.first, cause is RefreshError else {
        Issue.record("\(errors)")
        return
      }
      #expect(stub.requests.count == 1)
    } else {
      tokens.set(2)
    }
    #expect(await failures(of: 3, client).isEmpty)
    #expect(stub.requests.map { $0.headers["Authorization"] } == ["token 1"] + Array(repeating: "token 2", count: 3))
    #expect(refreshes.withLock { $0 } == (isLater ? 3 : 1))
  }

  @Test func `after a logout neither a refresh nor a retry uses the next user's credentials`() async throws {
    let (begun, opened) = (Events(), Events())
    let stub = stub(accepting: Lock(7))
    let tokens = authenticator(1) { _ in
      #expect(await eventually { stub.requests.count >= 2 })
      await begun.add()
      await opened.wait(for: 1)
      return 2
    }
    let client = client(stub, tokens)
    async let waiting = failures(of: 2, client)
    await begun.wait(for: 1)
    tokens.forget()
    #expect(tokens.current == nil)
    let errors = await waiting
    #expect(errors.count == 2)
    for error in errors {
      guard case .authentication(let cause, _) = error, cause is CancellationError else {
        Issue.record("\(error)")
        continue
      }
    }
    tokens.set(7)
    await opened.add()
    #expect(await failures(of: 1, client).isEmpty)
    #expect(tokens.current == 7)
    #expect(Set(stub.requests.compactMap { $0.headers["Authorization"] }) == ["token 1", "token 7"])
  }

  @Test func `a request of a user who has logged out is not retried as another user`() async throws {
    let clock = ManualClock()
    let stub = StubTransport(status: 503)
    let tokens = authenticator(1) { _ in 2 }
    let client = FetchClient {
      $0.transport = stub
      $0.interceptors = [tokens]
      $0.clock = clock
      $0.timeouts = Timeouts(connect: nil, idle: nil, total: nil)
      $0.retry = RetryPolicy(maxAttempts: 2)
      $0.random = { 0.5 }
    }
    async let errors = failures(of: 1, client)
    await clock.sleepers(atLeast: 1)
    tokens.forget()
    tokens.set(7)
    clock.advance(by: .seconds(10))
    guard case .authentication(let cause, _)? = await errors.first, cause is CancellationError else {
      Issue.record("the request was sent again")
      return
    }
    #expect(stub.requests.map { $0.headers["Authorization"] } == ["token 1"])
  }

  @Test func `new credentials that are rejected are an error, not a loop`() async {
    let stub = stub(accepting: Lock(-1))
    let refreshes = Lock(0)
    let tokens = authenticator(1) { old in
      refreshes.withLock { $0 += 1 }
      return (old ?? 0) + 1
    }
    let errors = await failures(of: 1, client(stub, tokens))
    guard case .authentication(let cause, _)? = errors.first, case .status = cause as? FetchError else {
      Issue.record("\(errors)")
      return
    }
    #expect(refreshes.withLock { $0 } == 1)
    #expect(stub.requests.count == 2)
  }

  @Test(arguments: [(303, "/y"), (302, "http://elsewhere.example/y"), (307, "http://elsewhere.example/y")])
  func `a POST that was answered with a redirect is not sent again after a 401 at the new URL`(
    status: Int, location: String
  ) async {
    let stub = StubTransport { request in
      request.url.path == "/x" ? .stub(status: status, headers: ["Location": location]) : .stub(status: 401)
    }
    let refreshes = Lock(0)
    let tokens = authenticator(1) { old in
      refreshes.withLock { $0 += 1 }
      return (old ?? 0) + 1
    }
    let post = HTTPRequest(.post, request.url, body: .data(Data("x".utf8)))
    do throws(FetchError) {
      try await client(stub, tokens).fetch(post, .void)
      Issue.record("the request succeeded")
    } catch {
      guard case .status(let failure, _) = error, failure.status == 401 else {
        Issue.record("\(error)")
        return
      }
    }
    #expect(stub.requests.map(\.url.path) == ["/x", "/y"])
    #expect(refreshes.withLock { $0 } == 0)
  }

  @Test func `only a 401 from an origin that received the credentials refreshes them`() async throws {
    for (location, expected) in [("http://elsewhere.example/y", 0), ("/y", 1)] {
      let stub = StubTransport { request in
        request.url.path == "/x" ? .stub(status: 302, headers: ["Location": location]) : .stub(status: 401)
      }
      let refreshes = Lock(0)
      let tokens = authenticator(1) { old in
        refreshes.withLock { $0 += 1 }
        return (old ?? 0) + 1
      }
      #expect(await failures(of: 1, client(stub, tokens)).count == 1)
      #expect(refreshes.withLock { $0 } == expected)
    }
  }

  @Test func `an authenticator refreshes credentials that another interceptor asks it for`() async throws {
    /// Adds no credentials outside of the API, and builds the request again.
    struct OnlyForAPI: Interceptor {
      let tokens: Authenticator<Int>
      func adapt(_ request: HTTPRequest) async throws -> HTTPRequest {
        guard request.url.path.hasPrefix("/x") else { return request }
        let adapted = try await tokens.adapt(request)
        return HTTPRequest(adapted.method, adapted.url, headers: adapted.headers)
      }
      func decide(after error: FetchError, of request: HTTPRequest, attempt: Int) async throws -> RetryDecision {
        try await tokens.decide(after: error, of: request, attempt: attempt)
      }
    }
    let accepted = Lock(2)
    let stub = stub(accepting: accepted)
    let tokens = authenticator(1) { ($0 ?? 0) + 1 }
    let client = FetchClient {
      $0.transport = stub
      $0.interceptors = [OnlyForAPI(tokens: tokens)]
    }
    try await client.fetch(request, .void)
    #expect(stub.requests.map { $0.headers["Authorization"] } == ["token 1", "token 2"])
    // A rejection of what carried no credentials is no reason to replace them.
    await #expect(throws: FetchError.self) { try await client.fetch("http://example.com/y", .void) }
    #expect(tokens.current == 2)
    // New credentials are tried once only.
    accepted.withLock { $0 = 9 }
    await #expect(throws: FetchError.self) { try await client.fetch(request, .void) }
    #expect(stub.requests.count == 5)
  }

  @Test func `credentials in a field of any name stay with their origin and appear in no text`() async throws {
    let stub = StubTransport { request in
      request.url.path == "/x" ? .stub(status: 302, headers: ["Location": "http://elsewhere.example/y"]) : .stub()
    }
    let tokens = Authenticator<String>(
      current: "s3cret",
      apply: { token, request in
        request.headers["X-Anything"] = token
        request.headers.append("mine; \(token)", for: "X-More")
      },
      refresh: { _ in "n3w" })
    /// Builds the headers again, and renders the request as a log would.
    struct Copies: Interceptor {
      let client = FetchClient()
      let commands = Lock<[String]>([])
      func adapt(_ request: HTTPRequest) async throws -> HTTPRequest {
        let command = try client.curlCommand(for: request)
        commands.withLock { $0.append(command) }
        var request = request
        var headers = HTTPHeaders()
        for field in request.headers { headers.append(field.value, for: field.name) }
        request.headers = headers
        return request
      }
    }
    let copies = Copies()
    let recorder = try Recorder(.record(stub), cassette: URL(filePath: "/unused"))
    let client = FetchClient {
      $0.transport = recorder
      $0.interceptors = [tokens, copies]
      $0.headers = ["X-More": "yours", "Accept": "a"]
    }
    try await client.fetch(request, .void)
    #expect(recorder.recordings.map { $0.request.headers.contains("X-Anything: <redacted>") } == [true, false])
    #expect(!recorder.recordings.description.contains("s3cret"))
    #expect(copies.commands.withLock { $0 }.allSatisfy { $0.contains("X-Anything") && !$0.contains("s3cret") })
    #expect(stub.requests.map { $0.headers["X-Anything"] } == ["s3cret", nil])
    #expect(stub.requests.map { $0.headers.values(for: "X-More").count } == [2, 0])
    #expect(stub.requests.map { $0.headers["Accept"] } == ["a", "a"])
    #expect(stub.requests.allSatisfy { !$0.headers.description.contains("s3cret") })
  }

  @Test func `a response cached for one credential is not served to another, whatever field carries it`() async throws {
    let stub = StubTransport { request in
      .stub(headers: ["Cache-Control": "max-age=60"], body: Data((request.headers["X-Anything"] ?? "").utf8))
    }
    let cache = HTTPCache()
    for user in ["one", "two", "one"] {
      let tokens = Authenticator<String>(
        current: user, apply: { token, request in request.headers["X-Anything"] = token }, refresh: { _ in "" })
      let client = FetchClient {
        $0.transport = stub
        $0.cache = cache
        $0.interceptors = [tokens]
      }
      #expect(try await client.fetch(request, .string) == user)
    }
    #expect(stub.requests.count == 2)
  }

  @Test func `expired credentials are refreshed before use, once even if they stay expired`() async {
    let stub = stub(accepting: Lock(2))
    let refreshes = Lock(0)
    let tokens = Authenticator<Int>(
      current: 1, apply: { token, request in request.headers["Authorization"] = "token \(token)" },
      refresh: { old in
        refreshes.withLock { $0 += 1 }
        return (old ?? 0) + 1
      }, isExpired: { _ in true })
    #expect(await failures(of: 1, client(stub, tokens)).isEmpty)
    #expect(refreshes.withLock { $0 } == 1)
  }

  @Test func `a cancelled waiter leaves, and the refresh continues for the others`() async {
    let stub = stub(accepting: Lock(2))
    let gate = Events()
    let tokens = authenticator(1) { _ in
      await gate.wait(for: 1)
      return 2
    }
    let client = client(stub, tokens)
    let cancelled = Task { await failures(of: 1, client) }
    let other = Task { await failures(of: 1, client) }
    #expect(await eventually { stub.requests.count >= 2 })
    cancelled.cancel()
    guard case .cancelled? = await cancelled.value.first else {
      Issue.record("the waiter was not cancelled")
      return
    }
    await gate.add()
    #expect(await other.value.isEmpty)
  }
}
