/// Whether sending a request twice is harmless.
public enum Idempotency: Sendable, Hashable {
  /// As its method says: GET, HEAD, PUT, DELETE, OPTIONS and TRACE are.
  case byMethod
  /// It is, whatever the method.
  case declared
  /// The server recognises a repetition by this `Idempotency-Key`, the same on every attempt.
  case key(String)
  /// Like ``key(_:)``, with a key made for each fetch.
  case generatedKey
}
