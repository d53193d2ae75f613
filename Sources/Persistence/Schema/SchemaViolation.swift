/// A problem with a model class.
///
/// To learn how to respond, see <doc:WhenSomethingGoesWrong>.
public struct SchemaViolation: Sendable, Hashable {
  /// The class.
  public let type: String
  /// The property, or nil if the problem affects the whole class.
  public let property: String?
  /// What is wrong.
  public let text: String
}

extension SchemaViolation: CustomStringConvertible {
  /// The class, property and text.
  public var description: String { type + (property.map { ".\($0)" } ?? "") + ": " + text }
}
