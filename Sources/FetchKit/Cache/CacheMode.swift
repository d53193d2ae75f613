/// How a request uses the client's ``HTTPCache``. The mode has no effect if the client has no cache.
///
/// The modes correspond to the cache modes of the Fetch standard. Cache directives in the request's own `Cache-Control`
/// field, such as `max-stale=60` and `only-if-cached`, also apply.
public enum CacheMode: Sendable, Hashable {
  /// Uses a stored response if it is fresh, and validates the response with the server if it is stale.
  case standard
  /// Validates a stored response with the server even if it is fresh, unless the response is declared `immutable` (RFC
  /// 8246). If the request does not set `Cache-Control`, the client sends `max-age=0`, so that intermediate caches also
  /// validate their stored responses.
  case revalidate
  /// Requests the resource from the server even if a response is stored, and stores the new response. If the request
  /// does not set `Cache-Control`, the client sends `no-cache`, so that intermediate caches also contact the server.
  case reload
  /// Uses a stored response even if it is stale. If no response is stored, or if a `no-cache` or `must-revalidate`
  /// directive in the response requires validation, the client contacts the server.
  case preferStored
  /// Uses a stored response even if it is stale. If no response is stored, or if a `no-cache` or `must-revalidate`
  /// directive in the stored response requires validation, the client creates a response with status code 504 instead
  /// of contacting the server (RFC 9111 §5.2.1.7).
  case onlyStored
  /// Always contacts the server, and does not store the response.
  case bypass
}
