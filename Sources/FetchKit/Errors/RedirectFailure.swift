/// The reason why a redirect was not followed.
///
/// <doc:WhenSomethingGoesWrong> lists the cause of each case and explains how to handle it.
public enum RedirectFailure: Sendable, Hashable {
  /// The number of redirects exceeds the limit of the ``RedirectPolicy``.
  case tooMany(limit: Int)
  /// The redirects form a loop: they lead back to a request that has already been sent.
  case loop
  /// The redirect leads from an `https` URL to an `http` URL, so the next request would not be encrypted.
  case downgrade
  /// The `Location` field of the redirect is not a valid HTTP URL. A redirect without a `Location` field does not cause
  /// this failure but is treated as an ordinary response.
  case invalidLocation
  /// The redirect requires the request body to be sent again, but the body can be read only once.
  case bodyNotReplayable
}
