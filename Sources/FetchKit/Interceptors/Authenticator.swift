/// An interceptor that adds credentials to requests. If the server rejects the credentials, they are refreshed once for
/// all waiting requests.
///
/// ```swift
/// let tokens = Authenticator<Token>(
///   current: storedToken,
///   apply: { token, request in
///     request.headers["Authorization"] = "Bearer \(token.text)"
///   },
///   refresh: { old in
///     try await client.fetch(Login.refresh(old), .json(Token.self))
///   })
/// let api = FetchClient { $0.interceptors = [tokens] }
/// ```
///
/// - Only one refresh runs at a time, no matter how many requests are rejected. A request that was sent with older
///   credentials is retried with the current credentials, without a refresh.
/// - If a refresh fails, every request that is waiting for it fails with ``FetchError/authentication(_:_:)``, and so
///   does every request in progress that is rejected later. The next new request starts another refresh.
/// - A request is retried once. If the server also rejects the new credentials, the request fails.
/// - The header fields that `apply` sets, regardless of their names, are hidden in descriptions and are sent only to
///   the request's origin. A redirect to a different origin removes them, and a rejection by that origin does not
///   trigger a refresh. A POST that was redirected to a GET is not sent again.
/// - A refresh continues even if the requests that are waiting for it are cancelled. The refresh must not use the same
///   authenticator.
public final class Authenticator<Credential: Sendable>: Interceptor {
  private typealias State = AuthenticationState<Credential, CheckedContinuation<Result<Void, any Error>, Never>>

  private let state: Lock<State>
  private let apply: @Sendable (Credential, inout HTTPRequest) -> Void
  private let refresh: @Sendable (Credential?) async throws -> Credential
  private let isExpired: @Sendable (Credential) -> Bool
  private let isRefusal: @Sendable (FetchError) -> Bool

  /// Creates an authenticator.
  ///
  /// - Parameters:
  ///   - current: The current credentials, or nil if they must be refreshed before the first request.
  ///   - apply: A function that adds credentials to a request.
  ///   - refresh: A function that returns new credentials. It receives the credentials to replace.
  ///   - isExpired: A function that returns whether credentials must be refreshed before use.
  ///   - isRefusal: A function that returns whether an error means that the credentials were rejected. By default, this
  ///     is true only for errors with status code 401.
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

  /// The current credentials, or nil before the first refresh.
  public var current: Credential? { state.withLock { $0.credential } }

  /// Adds the credentials to the request, after refreshing them if necessary.
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
      request.headers.redactChanges(from: before)
    }
    request.marks[ObjectIdentifier(self)] = mark
    return request
  }

  /// Refreshes the credentials if they were rejected, and retries the request.
  public func decide(after error: FetchError, of request: HTTPRequest, attempt: Int) async throws -> RetryDecision {
    guard isRefusal(error), let mark = request.marks[ObjectIdentifier(self)] else { return .asConfigured }
    guard request.interceptorRetries == 0 else { throw AuthenticationFailure(cause: error) }
    try await renew(mark)
    return .retry(after: .zero)
  }

  /// Ensures that the credentials are newer than those of the mark.
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

/// The error of a failed refresh. It becomes ``FetchError/authentication(_:_:)`` with its cause.
struct AuthenticationFailure: Error {
  let cause: any Error
}
