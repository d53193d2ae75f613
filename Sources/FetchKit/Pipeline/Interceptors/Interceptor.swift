/// Changes requests on their way out and has a say when they fail.
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
/// The interceptors of a client adapt in their order, anew for each attempt; when an attempt has failed they are asked
/// in the same order, and the first that does not leave it to the client decides. What they throw ends the fetch with
/// ``FetchError/interceptor(_:_:)``. The total deadline and cancellation do not wait for them.
public protocol Interceptor: Sendable {
  /// The request to send instead; the same one unless implemented.
  func adapt(_ request: HTTPRequest) async throws -> HTTPRequest
  /// What to do after an attempt failed; left to the client unless implemented.
  ///
  /// - Parameters:
  ///   - error: How the attempt failed, a status that is no success included.
  ///   - request: The request as it was sent.
  ///   - attempt: Which attempt it was, counted from 1.
  func decide(after error: FetchError, of request: HTTPRequest, attempt: Int) async throws -> RetryDecision
}

extension Interceptor {
  /// The request as it is.
  public func adapt(_ request: HTTPRequest) async throws -> HTTPRequest { request }
  /// Leaves it to the client.
  public func decide(after error: FetchError, of request: HTTPRequest, attempt: Int) async throws -> RetryDecision {
    .asConfigured
  }
}

/// What an interceptor makes of a failed attempt.
public enum RetryDecision: Sendable, Hashable {
  /// The client's ``RetryPolicy`` decides.
  case asConfigured
  /// Another attempt after that wait, whatever the policy says; but never with a body that can be read only once, and
  /// never beyond ten attempts or the total deadline.
  case retry(after: Duration)
  /// The fetch ends with the error.
  case giveUp
}
