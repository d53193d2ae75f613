/// A request's body turned out shorter or longer than it was said to be; the cause in
/// ``TransportError/requestBody(_:)``.
public struct RequestBodyLengthError: Error, Sendable, Hashable {
  /// The bytes announced.
  public let expected: Int64
  /// The bytes found by then.
  public let actual: Int64

  /// An error from both lengths.
  public init(expected: Int64, actual: Int64) {
    self.expected = expected
    self.actual = actual
  }
}
