/// An error that identifies the part of a query that the store cannot evaluate exactly, and therefore does not
/// evaluate.
///
/// To learn how to respond, see <doc:WhenSomethingGoesWrong>.
public struct UnsupportedQueryError: Error, Sendable, Hashable {
  /// The unsupported part: an operation, or a property with its class. It contains no values.
  public let expression: String
  /// The reason that the part is not supported.
  public let reason: String

  init(_ expression: String, _ reason: String) {
    self.expression = expression
    self.reason = reason
  }
}

extension UnsupportedQueryError: CustomStringConvertible {
  /// The part and the reason.
  public var description: String { "the query is not supported: \(expression): \(reason)" }
}
