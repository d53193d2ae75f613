import FetchKit
import FetchKitTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct AuthenticatorTests {
  struct Refused: Error {}

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

  @Test func `a hundred refused requests cause one refresh`() async {
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

  @Test func `without credentials there is a refresh before the first request`() async {
    let stub = stub(accepting: Lock(1))
    let tokens = authenticator(nil) { old in
      #expect(old == nil)
      return 1
    }
    #expect(await failures(of: 10, client(stub, tokens)).isEmpty)
    #expect(stub.requests.count == 10)
  }

  @Test func `a failed refresh fails all who wait, and the next request tries again`() async {
    let accepted = Lock(2)
    let stub = stub(accepting: accepted)
    let refreshes = Lock(0)
    let tokens = authenticator(1) { _ in
      let count = refreshes.withLock { count in
        count += 1
        return count
      }
      #expect(await eventually { stub.requests.count >= 50 })
      if count == 1 { throw Refused() }
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
      #expect(cause is Refused)
    }
    #expect(refreshes.withLock { $0 } == 1)
    #expect(await failures(of: 1, client).isEmpty)
    #expect(refreshes.withLock { $0 } == 2)
  }

  @Test func `credentials refused although new are an error, not a loop`() async {
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

  @Test func `expired credentials are renewed before they are used, once even if they stay expired`() async {
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

  @Test func `a cancelled waiter leaves, the refresh goes on for the others`() async {
    let stub = stub(accepting: Lock(2))
    let gate = Events()
    let tokens = authenticator(1) { _ in
      await gate.wait(for: 1)
      return 2
    }
    let client = client(stub, tokens)
    let cancelled = Task { await failures(of: 1, client) }
    let patient = Task { await failures(of: 1, client) }
    #expect(await eventually { stub.requests.count >= 2 })
    cancelled.cancel()
    guard case .cancelled? = await cancelled.value.first else {
      Issue.record("not cancelled")
      return
    }
    await gate.add()
    #expect(await patient.value.isEmpty)
  }
}
