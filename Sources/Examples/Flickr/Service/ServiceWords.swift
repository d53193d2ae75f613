import FetchKit

/// What the server said with the latest status that was an error: a download's failure has the status alone.
final class ServiceWords: EventMonitor {
  private let latest = Lock<FetchError?>(nil)

  func note(_ event: FetchEvent) {
    guard case .failed(let error) = event.kind, case .status = error else { return }
    latest.withLock { $0 = error }
  }

  /// The failure, with the server's words where it was this program that heard them.
  func completed(_ failure: DownloadFailure) -> any Error {
    guard case .status(let status) = failure, let error = latest.withLock(\.self),
      case .status(let said, _) = error, said.status == status
    else { return failure }
    return error
  }
}
