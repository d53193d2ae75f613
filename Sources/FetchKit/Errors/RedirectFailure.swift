/// The reason why a redirect was not followed.
///
/// <doc:WhenSomethingGoesWrong> lists the cause of each case and explains how to handle it.
public enum RedirectFailure: Sendable, Hashable {
  /// The server sent more redirects than the policy allows.
  case tooMany(limit: Int)
  /// The redirects lead back to a request that has already been made.
  case loop
  /// The redirect leads from `https` to `http`.
  case downgrade
  /// The `Location` field is not a valid HTTP URL. A redirect without this field is treated as an ordinary response.
  case invalidLocation
  /// The body would have to be sent again, but it can be read only once.
  case bodyNotReplayable
}
