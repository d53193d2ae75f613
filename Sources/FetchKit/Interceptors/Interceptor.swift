/// A type that changes outgoing requests and determines what happens when a request fails.
///
/// ```swift
/// struct Signer: Interceptor {
///   func adapt(_ request: HTTPRequest) async throws -> HTTPRequest {
///     var request = request
///     request.headers["X-Signature"] = try await sign(request)
///     return request
///   }
/// }
/// ```
///
/// Before each attempt, a client's interceptors adapt the request in the order in which they are configured. If the
/// attempt fails, the client asks the interceptors in the same order what to do. The first decision that is not
/// ``RetryDecision/asConfigured`` determines what happens. An error thrown by an interceptor ends the fetch with
/// ``FetchError/interceptor(_:_:)``. Cancellation and the total timeout take effect immediately, even while an
/// interceptor is running.
nonisolated public protocol Interceptor: Sendable {
  /// Returns the request to send. The default implementation returns the request unchanged.
  func adapt(_ request: HTTPRequest) async throws -> HTTPRequest
  /// Returns the decision on what to do after a failed attempt. The default implementation applies the client's
  /// ``RetryPolicy``.
  ///
  /// - Parameters:
  ///   - error: The error that ended the attempt. A status code that does not count as success is reported as
  ///     ``FetchError/status(_:_:)``.
  ///   - request: The request as it was sent, including the changes made by interceptors.
  ///   - attempt: The number of the attempt, counting from 1.
  func decide(after error: FetchError, of request: HTTPRequest, attempt: Int) async throws -> RetryDecision
}

extension Interceptor {
  /// Returns the request unchanged.
  public func adapt(_ request: HTTPRequest) async throws -> HTTPRequest { request }
  /// Returns ``RetryDecision/asConfigured``, so that the client's ``RetryPolicy`` determines what happens.
  public func decide(after error: FetchError, of request: HTTPRequest, attempt: Int) async throws -> RetryDecision {
    .asConfigured
  }
}

/// An interceptor's decision after a failed attempt.
public enum RetryDecision: Sendable, Hashable {
  /// Applies the client's ``RetryPolicy``.
  case asConfigured
  /// Makes another attempt after the associated delay, regardless of the client's ``RetryPolicy``. The fetch ends
  /// instead if the request body can be read only once, if ten attempts have been made, or if the total timeout would
  /// expire during the delay.
  case retry(after: Duration)
  /// Ends the fetch with the error of the failed attempt.
  case giveUp
}
