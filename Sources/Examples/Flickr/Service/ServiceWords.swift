import FetchKit

/// Stores the server's explanation of the latest error status, because a download's failure contains only the status.
final class ServiceWords: EventMonitor {
  private let latest = Lock<FetchError?>(nil)

  func receive(_ event: FetchEvent) {
    guard case .failed(let error) = event.kind, case .status = error else { return }
    latest.withLock { $0 = error }
  }

  /// Returns the failure with the server's explanation if this process received it.
  func completed(_ failure: DownloadError) -> any Error {
    guard case .status(let status) = failure, let error = latest.withLock(\.self),
      case .status(let said, _) = error, said.status == status
    else { return failure }
    return error
  }
}
