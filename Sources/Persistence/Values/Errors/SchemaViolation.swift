/// A problem with a model class.
///
/// To learn how to respond, see <doc:WhenSomethingGoesWrong>.
public struct SchemaViolation: Sendable, Hashable {
  /// The name of the class.
  public let type: String
  /// The name of the property, or nil if the problem affects the whole class.
  public let property: String?
  /// A description of the problem.
  public let text: String
}

extension SchemaViolation: CustomStringConvertible {
  /// The class, the property and the description of the problem.
  public var description: String { type + (property.map { ".\($0)" } ?? "") + ": " + text }
}
