public import Foundation

/// The reason why a fetch failed. The set of cases is closed and the same for every transport.
///
/// ```swift
/// do {
///   show(try await client.fetch(url, .json(Movie.self)))
/// } catch {
///   switch error {
///   case .cancelled: break
///   case .status(let failure, _) where failure.status == 404: showNothingFound()
///   case _ where error.isRetryable: offerToTryAgain()
///   default: show(error.description)
///   }
/// }
/// ```
///
/// Every case has a ``Context``. Error texts never contain secrets. When the error is created, user names, passwords
/// and the values of query items known to carry credentials are removed from the URL.
///
/// <doc:WhenSomethingGoesWrong> lists the cause of each case and explains how to handle it.
public enum FetchError: Error, Sendable {
  /// The request could not be built, or it cannot be sent unchanged.
  case invalidRequest(reason: String, Context)
  /// The source of the request's body threw the associated error.
  case requestBody(any Error, Context)
  /// The connection could not be opened, or it was lost.
  case connection(ConnectionFailure, Context)
  /// A timeout expired.
  case timeout(TimeoutPhase, Context)
  /// The task was cancelled, or ``FetchTask/cancel()`` was called.
  case cancelled(Context)
  /// The response has a status code that does not count as success.
  case status(StatusFailure, Context)
  /// A redirect was not followed.
  case redirect(RedirectFailure, Context)
  /// The response is larger than its limit allows.
  case tooLarge(ResponsePart, limit: Int, Context)
  /// The response is not a complete HTTP response.
  case malformedResponse(reason: String, Context)
  /// The strategy threw the associated error.
  case extraction(any Error, Context)
  /// Credentials could not be obtained, or new credentials were rejected. The associated error describes the cause.
  case authentication(any Error, Context)
  /// An ``Interceptor`` threw the associated error.
  case interceptor(any Error, Context)
}

extension FetchError {
  /// Information about the request that caused an error.
  public struct Context: Sendable {
    /// The method of the request.
    public var method: HTTPMethod
    /// The last URL that was requested, with secrets hidden. Empty if no URL was requested.
    public var url: String
    /// Details reported by the transport. Empty if the transport reports no details.
    public var detail: String
    /// The attempts that were started, in order. Empty if no attempt was started, for example because the request could
    /// not be built.
    public var attempts: [Attempt]

    /// Creates a context from its parts, for creating errors in tests. Secrets in the URL are hidden.
    public init(method: HTTPMethod = .get, url: URL? = nil, detail: String = "", attempts: [Attempt] = []) {
      self.init(method: method, url: url, redactor: .standard, detail: detail, attempts: attempts)
    }

    init(method: HTTPMethod, url: URL?, redactor: Redactor, detail: String = "", attempts: [Attempt] = []) {
      self.method = method
      self.url = url.map(redactor.text) ?? ""
      self.detail = detail
      self.attempts = attempts
    }
  }

  /// Information about the request that caused the error.
  public var context: Context {
    switch self {
    case .invalidRequest(_, let context), .requestBody(_, let context), .connection(_, let context),
      .timeout(_, let context), .cancelled(let context), .status(_, let context), .redirect(_, let context),
      .tooLarge(_, _, let context), .malformedResponse(_, let context), .extraction(_, let context),
      .authentication(_, let context), .interceptor(_, let context):
      context
    }
  }

  /// Whether the same request could succeed later.
  ///
  /// True if the host name could not be resolved, if the connection was refused or lost, if the device was offline, if
  /// no file descriptor was available, if a timeout expired, or if the status code is 408, 425, 429, 500, 502, 503 or
  /// 504. True does not mean that repeating the request is harmless, because that depends on the method.
  public var isRetryable: Bool {
    switch self {
    case .connection(let fault, _): fault == .lost || fault.isTransientBeforeSending
    case .timeout: true
    case .status(let failure, _): failure.isRetryable
    default: false
    }
  }
}
