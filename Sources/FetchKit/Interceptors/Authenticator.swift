/// An interceptor that adds credentials to requests. If the server rejects the credentials, the authenticator refreshes
/// them once for all requests that are waiting for new credentials.
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
/// - Only one refresh runs at a time, no matter how many requests are rejected. If a rejected request was sent with
///   credentials that have since been replaced, it is retried with the current credentials, without another refresh.
/// - If a refresh fails, every request that is waiting for the refresh fails with ``FetchError/authentication(_:_:)``.
///   Requests that were sent before the failure and are rejected later fail with the same error. A new request
///   starts another refresh before it is sent, because the server has rejected the current credentials.
/// - A rejected request is retried only once. If the server also rejects the new credentials, the request fails.
/// - The header fields that `apply` sets, whatever their names, are hidden in descriptions and are sent only to the
///   request's origin. If a request is redirected to a different origin, these fields are removed, and a rejection by
///   the new origin does not trigger a refresh. If a POST request was redirected and the resulting GET request is
///   rejected, the POST request is not sent again, because the server has already processed it.
/// - Another interceptor can pass its calls on to an authenticator, in the task in which it was called or in a child of
///   that task. In a detached task, the authenticator would not recognize its own credentials, and a rejection would
///   not lead to a refresh.
/// - A refresh continues even if the requests that are waiting for it are cancelled. The `refresh` function must not
///   send requests through the same authenticator, because such a request could wait for the refresh that sent it.
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
  ///   - current: The current credentials, or nil to obtain credentials by a refresh before the first request.
  ///   - apply: A function that adds credentials to a request.
  ///   - refresh: A function that returns new credentials. Its argument is the credentials to replace, or nil if there
  ///     are none.
  ///   - isExpired: A function that returns whether credentials have expired and must be refreshed before they are
  ///     used. By default, credentials never expire.
  ///   - isRefusal: A function that returns whether an error means that the server rejected the credentials. By
  ///     default, the function returns true only for errors with status code 401.
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

  /// The current credentials, or nil if there are none: before the first refresh, or after ``forget()``.
  public var current: Credential? { state.withLock { $0.credential } }

  /// Replaces the credentials, for example after the user has logged in. Requests that are waiting for a refresh
  /// continue with the new credentials, and the result of the refresh is ignored. Requests whose old credentials are
  /// rejected later are retried with the new ones.
  ///
  /// If another user may have logged in, call ``forget()`` first.
  public func set(_ credential: Credential) {
    perform(state.withLock { $0.set(credential) })
  }

  /// Removes the credentials, for example after the user has logged out. The next request calls `refresh` with nil
  /// unless you call ``set(_:)`` before.
  ///
  /// Requests that have already been sent with the credentials are not cancelled, but they are neither retried nor sent
  /// with credentials that are obtained later. Instead, such a request fails with
  /// ``FetchError/authentication(_:_:)``, whose cause is a `CancellationError`. Requests that are waiting for a refresh
  /// fail with the same error, and the result of the refresh is ignored.
  public func forget() {
    perform(state.withLock { $0.forget() })
  }

  /// Refreshes the credentials if necessary, and adds them to the request.
  public func adapt(_ request: HTTPRequest) async throws -> HTTPRequest {
    var (credential, mark, isDisproved) = state.withLock { ($0.credential, $0.mark, $0.isDisproved) }
    // A retry of a request that another user's credentials were added to.
    if let earlier = sentMark, earlier.session != mark.session {
      throw AuthenticationFailure(cause: CancellationError())
    }
    if isDisproved || credential.map(isExpired) ?? true {
      let session = mark.session
      try await renew(mark, isRejection: false)
      (credential, mark) = state.withLock { ($0.credential, $0.mark) }
      guard mark.session == session else { throw AuthenticationFailure(cause: CancellationError()) }
    }
    var request = request
    if let credential {
      let before = request.headers
      apply(credential, &request)
      request.headers.redactChanges(from: before)
    }
    InterceptorCall.current?.credentials.withLock { $0[ObjectIdentifier(self)] = mark }
    return request
  }

  /// If the credentials were rejected, refreshes them and retries the request.
  public func decide(after error: FetchError, of request: HTTPRequest, attempt: Int) async throws -> RetryDecision {
    guard isRefusal(error), let mark = sentMark else { return .asConfigured }
    guard InterceptorCall.current?.retries == 0 else { throw AuthenticationFailure(cause: error) }
    try await renew(mark, isRejection: true)
    return .retry(after: .zero)
  }

  /// Identifies the credentials that the request was sent with.
  private var sentMark: AuthenticationMark? {
    InterceptorCall.current?.credentials.withLock { $0[ObjectIdentifier(self)] }
  }

  /// Ensures that the credentials are newer than those of the mark.
  private func renew(_ mark: AuthenticationMark, isRejection: Bool) async throws {
    let id = state.withLock { $0.newWaiter() }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        perform(state.withLock { $0.renew(from: mark, isRejection: isRejection, id, waiter) })
      }
    } onCancel: {
      perform(state.withLock { $0.cancel(id) })
    }
    try result.get()
  }

  private func perform(_ action: State.Action) {
    for (waiter, result) in action.resumed { waiter.resume(returning: result) }
    guard let started = action.refreshes else { return }
    Task {
      do {
        let new = try await refresh(started.old)
        perform(state.withLock { $0.refreshed(new, by: started.id) })
      } catch {
        perform(state.withLock { $0.failed(error, in: started.id) })
      }
    }
  }
}

/// The error of a failed refresh. It becomes ``FetchError/authentication(_:_:)`` with its cause.
struct AuthenticationFailure: Error {
  let cause: any Error
}
