/// Why a transfer does not go on.
enum TransferEnd: Error {
  case stopped
  case failed(DownloadFailure, mayPass: Bool, retryAfter: Duration? = nil)

  init(_ failure: DownloadFailure) {
    self = failure == .cancelled ? .stopped : .failed(failure, mayPass: false)
  }

  /// - Parameter isStopped: Whether the transfer was told to end; otherwise a cancellation comes from elsewhere.
  init(_ error: FetchError, _ configuration: FetchClient.Configuration, isStopped: Bool) {
    if isStopped, case .cancelled = error {
      self = .stopped
      return
    }
    var retryAfter: Duration?
    if case .status(let failure, _) = error {
      retryAfter = RetryAfter.delay(in: failure.headers, now: configuration.date())
    }
    let retry = RetryState.Failure(error, policy: configuration.retry, retryAfter: retryAfter)
    self = .failed(DownloadFailure(error), mayPass: retry.mayPass, retryAfter: retryAfter)
  }
}

extension DownloadFailure {
  /// The error of a fetch in the few words that the journal keeps.
  init(_ error: FetchError) {
    switch error {
    case .connection(let fault, _): self = .connection(reason: fault.text)
    case .timeout: self = .timeout
    case .status(let failure, _): self = .status(failure.status)
    case .tooLarge(.body, let limit, _): self = .tooLarge(limit: Int64(limit))
    case .invalidRequest(let reason, _): self = .request(reason: reason)
    case .requestBody, .authentication, .interceptor: self = .request(reason: error.description)
    case .cancelled: self = .connection(reason: "the transport gave up")
    default: self = .response(reason: error.description)
    }
  }
}
