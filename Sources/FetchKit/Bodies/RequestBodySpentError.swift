/// An error that occurs when a one-shot request body is sent a second time. It is the associated error of
/// ``FetchError/requestBody(_:_:)``.
public struct RequestBodySpentError: Error, Sendable, Hashable {
  /// Creates an error.
  public init() {}
}
