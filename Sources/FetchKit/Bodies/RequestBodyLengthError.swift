/// An error that occurs if a request body is shorter or longer than announced. It is the underlying error of
/// ``TransportError/requestBody(_:)``.
///
/// <doc:WhenSomethingGoesWrong> explains how to handle it.
public struct RequestBodyLengthError: Error, Sendable, Hashable {
  /// The number of bytes announced.
  public let expected: Int64
  /// The number of bytes that had been counted when the mismatch was detected.
  public let actual: Int64

  /// Creates an error from the announced length and the actual length.
  public init(expected: Int64, actual: Int64) {
    self.expected = expected
    self.actual = actual
  }
}
