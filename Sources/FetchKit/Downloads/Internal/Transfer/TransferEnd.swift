/// Why a transfer ended before the file was in place.
enum TransferEnd: Error {
  case stopped
  case failed(DownloadError, isTransient: Bool, retryAfter: Duration? = nil)

  init(_ failure: DownloadError) {
    self = failure == .cancelled ? .stopped : .failed(failure, isTransient: false)
  }

  /// - Parameter isStopped: Whether the session stopped the transfer. Otherwise a cancellation has another source.
  init(_ error: FetchError, _ configuration: FetchClient.Configuration, isStopped: Bool) {
    if isStopped, case .cancelled = error {
      self = .stopped
      return
    }
    var retryAfter: Duration?
    if case .status(let failure, _) = error {
      retryAfter = RetryAfter.delay(after: failure.status, failure.headers, now: configuration.date())
    }
    let retry = RetryState.Failure(error, policy: configuration.retry, retryAfter: retryAfter)
    self = .failed(DownloadError(error), isTransient: retry.isTransient, retryAfter: retryAfter)
  }
}

extension DownloadError {
  /// Reduces the error of a fetch to what the journal stores.
  init(_ error: FetchError) {
    switch error {
    case .connection(let fault, _): self = .connection(reason: fault.text)
    case .timeout: self = .timeout
    case .status(let failure, _): self = .status(failure.status)
    case .tooLarge(.body, let limit, _): self = .tooLarge(limit: Int64(limit))
    case .invalidRequest(let reason, _): self = .request(reason: reason)
    case .requestBody, .authentication, .interceptor: self = .request(reason: error.description)
    case .cancelled: self = .connection(reason: "the transport cancelled the request")
    default: self = .response(reason: error.description)
    }
  }
}
