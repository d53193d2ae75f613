/// An error that occurs when a one-shot stream is sent a second time. It is the associated error of
/// ``FetchError/requestBody(_:_:)``.
///
/// <doc:WhenSomethingGoesWrong> explains how to handle this error.
public struct RequestBodySpentError: Error, Sendable, Hashable {
  /// Creates an error.
  public init() {}
}
