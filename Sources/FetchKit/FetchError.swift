public import Foundation

/// Why a fetch gave no value: a closed set, the same on every transport.
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
/// Every case carries its ``Context``. No text in it holds a secret: user names, passwords and the query items known to
/// carry credentials are taken out of the URL when the error is made.
public enum FetchError: Error, Sendable {
  /// No request could be built, or it cannot be sent as it is.
  case invalidRequest(reason: String, Context)
  /// The source of the request's body failed; with what it threw.
  case requestBody(any Error, Context)
  /// There was no connection, or it was lost.
  case connection(ConnectionFault, Context)
  /// A deadline passed.
  case timeout(TimeoutPhase, Context)
  /// The task was cancelled, or ``FetchTask/cancel()`` was called.
  case cancelled(Context)
  /// The server answered with a status that is not a success.
  case status(StatusFailure, Context)
  /// A redirect that was not followed.
  case redirect(RedirectFault, Context)
  /// The response is larger than allowed.
  case tooLarge(ResponsePart, limit: Int, Context)
  /// What came is not a whole HTTP response.
  case malformedResponse(reason: String, Context)
  /// The strategy could not make a value of the response; with what it threw.
  case extraction(any Error, Context)
  /// Credentials could not be obtained, or were refused although new; with the cause.
  case authentication(any Error, Context)
  /// An ``Interceptor`` threw; with what it threw.
  case interceptor(any Error, Context)
}

extension FetchError {
  /// What the error is about.
  public struct Context: Sendable {
    /// The method of the request.
    public var method: HTTPMethod
    /// The URL last asked, secrets hidden; empty where there was none.
    public var url: String
    /// What the transport had to say, if anything.
    public var detail: String
    /// The attempts that were begun, in order; empty where it came to none, as with a request that could not be built.
    public var attempts: [Attempt]

    /// A context from its parts, for errors made in tests; secrets in the URL are hidden.
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

  /// What the error is about.
  public var context: Context {
    switch self {
    case .invalidRequest(_, let context), .requestBody(_, let context), .connection(_, let context),
      .timeout(_, let context), .cancelled(let context), .status(_, let context), .redirect(_, let context),
      .tooLarge(_, _, let context), .malformedResponse(_, let context), .extraction(_, let context),
      .authentication(_, let context), .interceptor(_, let context):
      context
    }
  }

  /// Whether the same request may well succeed later.
  ///
  /// True for refused, unresolved and lost connections, where no descriptor was left, for deadlines, and for the
  /// statuses 408, 425, 429, 500, 502, 503 and 504. It does not say that repeating is harmless: that depends on the
  /// method.
  public var isRetryable: Bool {
    switch self {
    case .connection(let fault, _): fault == .lost || fault.mayPassUnsent
    case .timeout: true
    case .status(let failure, _): failure.isRetryable
    default: false
    }
  }
}
