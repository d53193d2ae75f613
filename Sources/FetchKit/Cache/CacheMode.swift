/// How a request uses the client's ``HTTPCache``. If the client has no cache, the mode has no effect.
///
/// The modes correspond to those of the Fetch standard. Cache directives in the request's own `Cache-Control` field,
/// such as `max-stale=60` and `only-if-cached`, also apply.
public enum CacheMode: Sendable, Hashable {
  /// Uses a stored response if it is fresh and validates it if it is stale.
  case standard
  /// Validates a stored response even if it is fresh, unless it is declared `immutable` (RFC 8246). Asks intermediate
  /// caches to do the same (`max-age=0`).
  case revalidate
  /// Requests the resource from the server as if nothing were stored, and stores the response. Asks intermediate caches
  /// to do the same (`no-cache`).
  case reload
  /// Uses a stored response even if it is stale, unless its `no-cache` or `must-revalidate` directive forbids this.
  /// Otherwise, contacts the server.
  case preferStored
  /// Uses a stored response even if it is stale, unless its `no-cache` or `must-revalidate` directive forbids this.
  /// Otherwise, the result is a response with status code 504 (RFC 9111 §5.2.1.7).
  case onlyStored
  /// Neither uses a stored response nor stores the new response.
  case bypass
}
