public import Foundation

/// The reason why a fetch failed. The set of cases is closed and does not depend on the transport.
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
/// Every case has a ``Context``. Error descriptions never contain secrets. When an error is created, user names,
/// passwords and the values of query items that are known to carry credentials are removed from the URL of the request.
///
/// <doc:WhenSomethingGoesWrong> lists the cause of each case and explains how to handle it.
public enum FetchError: Error, Sendable {
  /// The request could not be built, or it is invalid and was not sent. The associated reason explains the problem.
  case invalidRequest(reason: String, Context)
  /// The request body could not be created or read, because its source threw the associated error.
  case requestBody(any Error, Context)
  /// The connection could not be opened, or it was lost.
  case connection(ConnectionFailure, Context)
  /// A timeout expired.
  case timeout(TimeoutPhase, Context)
  /// The task was cancelled, or ``FetchTask/cancel()`` or ``FetchClient/cancelAll()`` was called, or the client was
  /// shut down before the fetch had ended.
  case cancelled(Context)
  /// The client had been shut down before the fetch began.
  case shutDown(Context)
  /// The response has a status code that does not count as success.
  case status(StatusFailure, Context)
  /// A redirect was not followed.
  case redirect(RedirectFailure, Context)
  /// The associated part of the response is larger than the associated limit.
  case tooLarge(ResponsePart, limit: Int, Context)
  /// A ``PagedSequence`` made the associated maximum number of requests, and there may be more pages. The associated
  /// page would be requested next.
  case tooManyPages(limit: Int, next: PageRequest, Context)
  /// A ``WebSocket`` that had been open has ended for the associated reason.
  case socket(WebSocketError, Context)
  /// The response is incomplete or malformed. The associated reason explains the problem.
  case malformedResponse(reason: String, Context)
  /// The ``ExtractionStrategy`` threw the associated error.
  case extraction(any Error, Context)
  /// New credentials could not be obtained, or the server rejected the new credentials. The associated error describes
  /// the cause.
  case authentication(any Error, Context)
  /// An ``Interceptor`` threw the associated error.
  case interceptor(any Error, Context)
}

extension FetchError {
  /// Information about the request that caused an error.
  public struct Context: Sendable {
    /// The method of the request.
    public var method: HTTPMethod
    /// The last URL that was requested, with secrets hidden. The value is an empty string if no URL was requested.
    public var url: String
    /// Details about the error, as reported by the transport. The value is an empty string if the transport reports no
    /// details.
    public var detail: String
    /// The attempts that were started, in order. The array is empty if no attempt was started, for example because the
    /// request could not be built.
    public var attempts: [Attempt]
    /// The most recent event ID of the ``EventStream`` that failed, or nil if there is none.
    public var lastEventID: String?

    /// Creates a context. Use this initializer to create an error in a test. Secrets in the URL are hidden.
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

  /// Information about the request that caused this error.
  public var context: Context {
    switch self {
    case .invalidRequest(_, let context), .requestBody(_, let context), .connection(_, let context),
      .timeout(_, let context), .cancelled(let context), .shutDown(let context), .status(_, let context),
      .redirect(_, let context),
      .tooLarge(_, _, let context), .tooManyPages(_, _, let context), .malformedResponse(_, let context),
      .extraction(_, let context), .socket(_, let context),
      .authentication(_, let context), .interceptor(_, let context):
      context
    }
  }

  /// Whether the same request could succeed if it is sent again later.
  ///
  /// The value is true if the host name could not be resolved, if the connection was refused or lost, if the server did
  /// not process the request, if the device was offline, if no file descriptor was available, if a timeout expired, or
  /// if ``StatusFailure/isRetryable`` is true, as for the status codes 429 and 503. The value does not tell you whether
  /// it is safe to repeat the request, because that depends on the method of the request.
  public var isRetryable: Bool {
    switch self {
    case .connection(let fault, _): fault == .lost || fault.isTransientBeforeSending
    case .timeout: true
    case .status(let failure, _): failure.isRetryable
    case .socket(let error, _): error.isTransient
    default: false
    }
  }
}
