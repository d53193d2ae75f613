/// The type of a to-many relationship in a condition. ``RelatedObjects`` conforms, and there is nothing to implement.
public protocol RelatedCollection {
  /// The class of the objects in the relationship.
  associatedtype Member: ManagedObject
}

extension RelatedObjects: RelatedCollection {
  /// The class of the objects in the relationship.
  public typealias Member = Element
}
