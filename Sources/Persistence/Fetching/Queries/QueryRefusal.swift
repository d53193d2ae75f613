/// A part of a query that the store cannot answer exactly, and so does not answer at all.
public struct QueryRefusal: Error, Sendable, Hashable {
  /// The part: an operation, or a property with its class. No value is told.
  public let expression: String
  /// Why it is refused.
  public let reason: String

  init(_ expression: String, _ reason: String) {
    self.expression = expression
    self.reason = reason
  }
}

extension QueryRefusal: CustomStringConvertible {
  /// The part and the reason.
  public var description: String { "the query cannot be answered: \(expression): \(reason)" }
}
