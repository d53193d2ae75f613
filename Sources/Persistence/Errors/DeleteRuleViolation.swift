/// A deletion that a relationship's delete rule forbids.
///
/// To learn how to respond, see <doc:WhenSomethingGoesWrong>.
public struct DeleteRuleViolation: Sendable, Hashable {
  /// The class of the object that was to be deleted.
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
