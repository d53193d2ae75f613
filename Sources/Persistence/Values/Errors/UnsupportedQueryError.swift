/// An error that identifies the part of a query that the store cannot evaluate exactly. The store does not run a query
/// with an unsupported part.
///
/// <doc:WhenSomethingGoesWrong> explains how to respond to this error.
public struct UnsupportedQueryError: Error, Sendable, Hashable {
  /// The unsupported part of the query: an operation, or a property and its class. The text does not contain any
  /// values.
  public let expression: String
  /// The reason that the part is not supported.
  public let reason: String

  init(_ expression: String, _ reason: String) {
    self.expression = expression
    self.reason = reason
  }
}

extension UnsupportedQueryError: CustomStringConvertible {
  /// A description of the unsupported part and the reason.
  public var description: String { "the query is not supported: \(expression): \(reason)" }
}
