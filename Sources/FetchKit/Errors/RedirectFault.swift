/// Why a redirect was not followed.
public enum RedirectFault: Error, Sendable, Hashable {
  /// More redirects than allowed.
  case tooMany(limit: Int)
  /// The same request came round again.
  case loop
  /// From `https` to `http`.
  case downgrade
  /// The `Location` makes no http URL. A redirect without one is a response like any other.
  case invalidLocation
  /// The body had to be sent again but could be read only once.
  case bodyNotReplayable
}
