/// A policy that determines whether and how redirects are followed. The policy works the same way with every transport.
///
/// - Status code 303 changes every method except HEAD to GET. Status codes 301 and 302 change POST to GET (RFC 9110
///   §15.4). Status codes 307 and 308 preserve the method and the body.
/// - If a redirect changes the scheme, host or port, credentials and cookies are removed from the request.
/// - Redirects from https to http are rejected, and so are redirect loops.
public struct RedirectPolicy: Sendable, Hashable {
  /// The maximum number of redirects to follow before the fetch fails. If the limit is 0, the fetch does not fail but
  /// returns a redirect as the response.
  public var limit: Int

  /// Follows at most the given number of redirects.
  public static func follow(limit: Int) -> RedirectPolicy { RedirectPolicy(limit: max(0, limit)) }
  /// Follows up to 10 redirects.
  public static let follow = RedirectPolicy(limit: 10)
  /// Returns a redirect as the response instead of following it.
  public static let ignore = RedirectPolicy(limit: 0)
}
