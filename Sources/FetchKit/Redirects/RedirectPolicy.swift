/// How redirects are followed. The policy works the same way with every transport.
///
/// - Status code 303 changes every method except HEAD to GET. Status codes 301 and 302 change POST to GET (RFC 9110
///   §15.4). Status codes 307 and 308 preserve the method and the body.
/// - If the scheme, host or port changes, credentials and cookies are removed.
/// - Redirects from https to http are rejected, and so are redirect loops.
public struct RedirectPolicy: Sendable, Hashable {
  /// The maximum number of redirects before the fetch fails. If 0, no redirects are followed, and a redirect is
  /// returned as the response.
  public var limit: Int

  /// Follows at most the given number of redirects.
  public static func follow(limit: Int) -> RedirectPolicy { RedirectPolicy(limit: max(0, limit)) }
  /// Follows up to 10 redirects.
  public static let follow = RedirectPolicy(limit: 10)
  /// Does not follow redirects and returns a redirect as the response.
  public static let ignore = RedirectPolicy(limit: 0)
}
