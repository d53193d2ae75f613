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
/// A client's interceptors adapt a request in order, once for each attempt. When an attempt has failed, they are
/// consulted in the same order, and the first decision that is not ``RetryDecision/asConfigured`` determines what
/// happens. An error thrown by an interceptor ends the fetch with ``FetchError/interceptor(_:_:)``. Cancellation and
/// the total timeout take effect without waiting for interceptors.
public protocol Interceptor: Sendable {
  /// Returns the request to send. The default implementation returns the request unchanged.
  func adapt(_ request: HTTPRequest) async throws -> HTTPRequest
  /// Returns what to do after a failed attempt. The default implementation applies the client's ``RetryPolicy``.
  ///
  /// - Parameters:
  ///   - error: The error that ended the attempt. It can be a status code that does not count as success.
  ///   - request: The request as it was sent.
  ///   - attempt: The number of the attempt, counting from 1.
  func decide(after error: FetchError, of request: HTTPRequest, attempt: Int) async throws -> RetryDecision
}

extension Interceptor {
  /// Returns the request unchanged.
  public func adapt(_ request: HTTPRequest) async throws -> HTTPRequest { request }
  /// Returns ``RetryDecision/asConfigured``, so that the client's ``RetryPolicy`` applies.
  public func decide(after error: FetchError, of request: HTTPRequest, attempt: Int) async throws -> RetryDecision {
    .asConfigured
  }
}

/// An interceptor's decision after a failed attempt.
public enum RetryDecision: Sendable, Hashable {
  /// Applies the client's ``RetryPolicy``.
  case asConfigured
  /// Makes another attempt after the delay, regardless of the policy. No attempt is made if the body can be read only
  /// once, if ten attempts have been made, or if the total timeout has expired.
  case retry(after: Duration)
  /// Ends the fetch with the error.
  case giveUp
}
