internal import FetchKit
internal import Foundation

extension RemoteFailure {
  /// What an error of a fetch says about its effect. For ``SyncRemote/failure(_:)``, whose default it is.
  ///
  /// Status code 401 and failed authentication pause the engine. Other codes from 400 to 499, and 503, say that the
  /// request had no effect, and `Retry-After` when to repeat it; so do errors that occur before anything is sent. All
  /// other errors, and those after an earlier attempt of the client's `RetryPolicy` that may have taken effect, leave
  /// that unknown.
  public init(_ error: any Error) {
    guard let error = error as? FetchError, error.earlierAttempts.allSatisfy(\.hadNoEffect),
      error.context.attempts.last?.isDoneBeforeRedirect != true
    else {
      self = .unknown
      return
    }
    switch error {
    // The server was not reached that gives credentials.
    case .authentication(let cause as FetchError, _) where cause.isRetryable: self = .later(nil)
    case .authentication: self = .unauthorized
    case .status(let failure, _) where failure.status == 401: self = .unauthorized
    case .status(let failure, _) where StatusFailure.hasNoEffect(failure.status):
      self = .later(failure.retryAfter(now: Date()).map { Int64($0 / .milliseconds(1)) })
    case .connection(let fault, _) where fault.isBeforeSending: self = .later(nil)
    case .timeout(.connect, _), .invalidRequest, .requestBody, .shutDown: self = .later(nil)
    default: self = .unknown
    }
  }
}

extension FetchError {
  /// The attempts before the one that the error is about, if it is about one.
  fileprivate var earlierAttempts: ArraySlice<Attempt> {
    switch self {
    case .status, .connection, .timeout: context.attempts.dropLast()
    default: context.attempts[...]
    }
  }
}

extension StatusFailure {
  /// Whether a server that answers so has not done what was asked.
  static func hasNoEffect(_ status: Int) -> Bool { (400..<500).contains(status) || status == 503 }
}

extension Attempt {
  fileprivate var hadNoEffect: Bool {
    if isDoneBeforeRedirect { return false }
    return switch outcome {
    case .status(let status): StatusFailure.hasNoEffect(status)
    case .failed(.connection(let fault, _)): fault.isBeforeSending
    case .failed(.timeout(.connect)), .failed(.invalidRequest): true
    case .failed, .refusedRedirect: false
    }
  }
}

extension ConnectionFailure {
  fileprivate var isBeforeSending: Bool { self != .lost }
}
