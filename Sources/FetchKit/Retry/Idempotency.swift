/// Whether a request can safely be sent twice.
public enum Idempotency: Sendable, Hashable {
  /// The method determines whether the request can be sent twice. GET, HEAD, PUT, DELETE, OPTIONS and TRACE requests
  /// can be sent twice.
  case byMethod
  /// The request can be sent twice, regardless of the method.
  case declared
  /// The server recognizes a repeated request by this `Idempotency-Key`, which is the same for every attempt.
  case key(String)
  /// Like ``key(_:)``, but with a key that is generated for each fetch.
  case generatedKey
}
