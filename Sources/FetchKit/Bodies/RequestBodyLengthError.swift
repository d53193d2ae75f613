/// An error that occurs when a request body is shorter or longer than its announced length. A transport reports it as
/// the associated error of ``TransportError/requestBody(_:)``.
///
/// <doc:WhenSomethingGoesWrong> explains how to handle this error.
public struct RequestBodyLengthError: Error, Sendable, Hashable {
  /// The announced length of the body in bytes.
  public let expected: Int64
  /// The number of bytes that the body had provided when the mismatch was detected.
  public let actual: Int64

  /// Creates an error from the announced length and the actual length.
  public init(expected: Int64, actual: Int64) {
    self.expected = expected
    self.actual = actual
  }
}
