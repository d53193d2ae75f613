/// Puts credentials on requests and renews them when the server refuses them, once for all requests that wait.
///
/// ```swift
/// let tokens = Authenticator<Token>(
///   current: storedToken,
///   apply: { token, request in request.headers["Authorization"] = "Bearer \(token.text)" },
///   refresh: { old in try await client.fetch(Login.refresh(old), .json(Token.self)) })
/// let api = FetchClient { $0.interceptors = [tokens] }
/// ```
///
/// - One refresh runs at a time, however many requests are refused. A request that was sent with older credentials than
///   the present ones is sent again without a refresh.
/// - A refresh that fails fails every request that waits for it, and those that were under way then, with
///   ``FetchError/authentication(_:_:)``. The next new request tries again.
/// - A request is sent again once; if it is refused with renewed credentials too, it fails.
/// - The fields that `apply` sets, whatever their names, are left out of descriptions and stay with their origin: a
///   redirect to another one loses them, and what that one refuses renews nothing. Nor is a POST sent again once it was
///   answered with a redirect to something to GET.
/// - The refresh goes on when requests that wait for it are cancelled. It must not go through the same authenticator.
public final class Authenticator<Credential: Sendable>: Interceptor {
  private typealias State = AuthenticationState<Credential, CheckedContinuation<Result<Void, any Error>, Never>>

  private let state: Lock<State>
  private let apply: @Sendable (Credential, inout HTTPRequest) -> Void
  private let refresh: @Sendable (Credential?) async throws -> Credential
  private let isExpired: @Sendable (Credential) -> Bool
  private let isRefusal: @Sendable (FetchError) -> Bool

  /// An authenticator.
  ///
  /// - Parameters:
  ///   - current: The credentials known so far; nil to refresh before the first request.
  ///   - apply: Puts credentials on a request.
  ///   - refresh: Gets new ones; handed those it replaces.
  ///   - isExpired: Whether credentials need renewal before they are used.
  ///   - isRefusal: Whether an error says that the credentials were not accepted; status 401 unless given.
  public init(
    current: Credential?, apply: @escaping @Sendable (Credential, inout HTTPRequest) -> Void,
    refresh: @escaping @Sendable (Credential?) async throws -> Credential,
    isExpired: @escaping @Sendable (Credential) -> Bool = { _ in false },
    isRefusal: @escaping @Sendable (FetchError) -> Bool = {
      if case .status(let failure, _) = $0 { failure.status == 401 } else { false }
    }
  ) {
    state = Lock(State(current))
    self.apply = apply
    self.refresh = refresh
    self.isExpired = isExpired
    self.isRefusal = isRefusal
  }

  /// The credentials in use; nil before the first refresh.
  public var current: Credential? { state.withLock { $0.credential } }

  /// Puts the credentials on the request, renewed first where needed.
  public func adapt(_ request: HTTPRequest) async throws -> HTTPRequest {
    var (credential, mark) = state.withLock { ($0.credential, $0.mark) }
    if credential.map(isExpired) ?? true {
      try await renew(mark)
      (credential, mark) = state.withLock { ($0.credential, $0.mark) }
    }
    var request = request
    if let credential {
      let before = request.headers
      apply(credential, &request)
      request.headers.hideWhatDiffers(from: before)
    }
    request.marks[ObjectIdentifier(self)] = mark
    return request
  }

  /// Renews the credentials where they were refused, and has the request sent again.
  public func decide(after error: FetchError, of request: HTTPRequest, attempt: Int) async throws -> RetryDecision {
    guard isRefusal(error), let mark = request.marks[ObjectIdentifier(self)] else { return .asConfigured }
    guard request.interceptorRetries == 0 else { throw AuthenticationFailure(cause: error) }
    try await renew(mark)
    return .retry(after: .zero)
  }

  /// Makes sure that the credentials are newer than those of the mark.
  private func renew(_ mark: AuthenticationMark) async throws {
    let id = state.withLock { $0.newWaiter() }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        perform(state.withLock { $0.renew(from: mark, id, waiter) })
      }
    } onCancel: {
      perform(state.withLock { $0.cancel(id) })
    }
    try result.get()
  }

  private func perform(_ action: State.Action) {
    for (waiter, result) in action.resumed { waiter.resume(returning: result) }
    guard case .some(let old) = action.refreshes else { return }
    Task {
      do {
        let new = try await refresh(old)
        perform(state.withLock { $0.refreshed(new) })
      } catch {
        perform(state.withLock { $0.failed(error) })
      }
    }
  }
}

/// Why there are no credentials; becomes ``FetchError/authentication(_:_:)`` with its cause.
struct AuthenticationFailure: Error {
  let cause: any Error
}
