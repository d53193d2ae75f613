/// The type of a to-many relationship in a condition. ``RelatedObjects`` conforms to this protocol, and your own types
/// do not need to.
public protocol RelatedCollection {
  /// The class of the objects in the relationship.
  associatedtype Member: ManagedObject
}

extension RelatedObjects: RelatedCollection {
  /// The class of the objects in the relationship.
  public typealias Member = Element
}
