/// A deletion that a relationship's delete rule forbids.
public struct DeletionDenial: Sendable, Hashable {
  /// The class of the object that was to be deleted.
  public let type: String
  /// The object.
  public let id: Int64
  /// The relationship that still leads to other objects.
  public let relationship: String
}

extension DeletionDenial: CustomStringConvertible {
  /// Object and relationship.
  public var description: String { "the \(type) \(id) cannot be deleted while its \(relationship) is not empty" }
}
