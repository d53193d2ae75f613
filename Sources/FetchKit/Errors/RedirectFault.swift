/// Why a redirect was not followed.
public enum RedirectFault: Error, Sendable, Hashable {
  /// More redirects than allowed.
  case tooMany(limit: Int)
  /// The same request came round again.
  case loop
  /// From `https` to `http`.
  case downgrade
  /// The `Location` is missing or makes no http URL.
  case invalidLocation
  /// The body had to be sent again but could be read only once.
  case bodyNotReplayable
}
