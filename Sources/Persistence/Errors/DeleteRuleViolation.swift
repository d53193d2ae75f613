/// A deletion that a relationship's delete rule forbids.
///
/// <doc:WhenSomethingGoesWrong> says what to do about it.
public struct DeleteRuleViolation: Sendable, Hashable {
  /// The class of the object to delete.
  public let type: String
  /// The object's id.
  public let id: Int64
  /// The relationship that still has members.
  public let relationship: String
}

extension DeleteRuleViolation: CustomStringConvertible {
  /// The object and the relationship.
  public var description: String { "\(type) \(id) cannot be deleted while its \(relationship) is not empty" }
}
