/// One thing that is wrong with a model class.
public struct SchemaProblem: Sendable, Hashable {
  /// The class.
  public let type: String
  /// The property, or nil where the class as a whole is meant.
  public let property: String?
  /// What is wrong.
  public let text: String
}

extension SchemaProblem: CustomStringConvertible {
  /// Class, property and text.
  public var description: String { type + (property.map { ".\($0)" } ?? "") + ": " + text }
}
