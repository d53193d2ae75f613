/// How a transfer ended. All but ``finished`` are thrown.
enum TransferEnd: Error, Equatable {
  /// The file is in place, as announced by
  /// ``DownloadStateMachine/willMove(_:part:inode:length:checksum:metadata:)``.
  case finished
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
    let retry = RetryState.Failure(error, policy: configuration.retry, now: configuration.date())
    self = .failed(DownloadError(error), isTransient: retry.isTransient, retryAfter: retry.retryAfter)
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
