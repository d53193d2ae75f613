/// A deletion that a relationship's delete rule forbids.
///
/// <doc:WhenSomethingGoesWrong> explains how to respond to this error.
public struct DeleteRuleViolation: Sendable, Hashable {
  /// The name of the class of the object that cannot be deleted.
  public let type: String
  /// The object's id.
  public let id: Int64
  /// The name of the relationship that is not empty.
  public let relationship: String
}

extension DeleteRuleViolation: CustomStringConvertible {
  /// A description of the object and the relationship.
  public var description: String { "\(type) \(id) cannot be deleted while its \(relationship) is not empty" }
}
