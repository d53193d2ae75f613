/// One attempt to perform a request.
///
/// An attempt includes the redirects that were followed and the requests that the transport sent again because a
/// reused connection was dead.
public struct Attempt: Sendable {
  /// How an attempt ended.
  public enum Outcome: Sendable {
    /// A response with the given status code was received.
    case status(Int)
    /// The transport failed with the given error.
    case failed(TransportError)
    /// A redirect was not followed.
    case refusedRedirect(RedirectFailure)
  }

  /// How the attempt ended.
  public var outcome: Outcome
  /// How long the attempt took.
  public var duration: Duration
  /// The times at which the phases of the attempt's last request ended, measured from the start of that request and not
  /// of its wait. If the request failed, ``TransportTimings/total`` is when it failed, and the other times are known
  /// only if the response head had been received.
  public var timings: TransportTimings

  /// Whether a redirect changed the method: the server had done what was asked, and named a page to read.
  package var isDoneBeforeRedirect = false

  /// Creates an attempt with the given outcome, duration and timings.
  public init(outcome: Outcome, duration: Duration, timings: TransportTimings = TransportTimings()) {
    self.outcome = outcome
    self.duration = duration
    self.timings = timings
  }
}
