/// A to-many relationship, of which conditions can ask what it contains. ``RelatedObjects`` conforms.
public protocol RelatedCollection {
  /// The class of the objects in the relationship.
  associatedtype Member: ManagedObject
}

extension RelatedObjects: RelatedCollection {
  /// The class of the objects in the relationship.
  public typealias Member = Element
}
