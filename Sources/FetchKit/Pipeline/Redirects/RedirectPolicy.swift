/// How redirects are followed; the same on every transport.
///
/// - 303 becomes GET, and so do 301 and 302 after POST (RFC 9110 §15.4); 307 and 308 send method and body again.
/// - When scheme, host or port change, credentials and cookies are left behind.
/// - From https to http is refused, and so is a circle.
public struct RedirectPolicy: Sendable, Hashable {
  /// How many redirects are followed before the fetch fails; 0 follows none and takes the redirect for the response.
  public var limit: Int

  /// Follows up to so many redirects.
  public static func follow(limit: Int) -> RedirectPolicy { RedirectPolicy(limit: max(0, limit)) }
  /// Follows up to 10 redirects.
  public static let follow = RedirectPolicy(limit: 10)
  /// Follows none: the redirect is the response.
  public static let ignore = RedirectPolicy(limit: 0)
}
