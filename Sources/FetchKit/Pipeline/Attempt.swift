/// One attempt at a request.
///
/// The redirects that it followed are part of it, and so is what the transport sent again because a kept connection was
/// dead.
public struct Attempt: Sendable {
  /// How an attempt ended.
  public enum Outcome: Sendable {
    /// With a response of that status.
    case status(Int)
    /// With an error of the transport.
    case failed(TransportError)
    /// With a redirect that was not followed.
    case refusedRedirect(RedirectFault)
  }

  /// How it ended.
  public var outcome: Outcome
  /// How long it took.
  public var duration: Duration

  /// An attempt from its parts.
  public init(outcome: Outcome, duration: Duration) {
    self.outcome = outcome
    self.duration = duration
  }
}
