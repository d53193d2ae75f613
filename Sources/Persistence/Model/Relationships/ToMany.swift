/// A relationship to any number of objects.
///
/// ```swift
/// final class FamilyMember: ManagedObject {
///   @ToMany(inverse: \Movie.familyMembers) var movies: RelatedObjects<Movie>
/// }
/// final class Movie: ManagedObject {
///   @ToMany var familyMembers: RelatedObjects<FamilyMember>
/// }
/// ```
///
/// Every relationship has an inverse. Setting one side updates the other side immediately in memory, and in the store
/// when you save. Only one of the two sides declares the inverse, because Swift would otherwise report a circular
/// reference. The members of an ordered relationship are in the order in which they were added, regardless of which
/// side added them. To specify a different order, assign a list of members or insert a member at an index.
/// ``RelatedObjects`` describes all operations.
@propertyWrapper public struct ToMany<Target: ManagedObject> {
  // First, so that its address is the relationship's.
  @usableFromInline var members: RelatedSet?
  @usableFromInline var relation: UInt32

  /// Creates a relationship for which the other side declares the inverse.
  @inlinable @inline(__always)
  public init(deleteRule: DeleteRule = .nullify, ordered: Bool = false) {
    self.init(inverse: nil, deleteRule, ordered)
  }

  /// Creates one side of a many-to-many relationship.
  @inlinable @inline(__always)
  public init<Owner: ManagedObject>(
    inverse: @autoclosure () -> KeyPath<Target, RelatedObjects<Owner>>, deleteRule: DeleteRule = .nullify,
    ordered: Bool = false
  ) { self.init(inverse: inverse(), deleteRule, ordered) }

  /// Creates a to-many relationship whose inverse is a to-one relationship.
  @inlinable @inline(__always)
  public init<Owner: ManagedObject>(
    inverse: @autoclosure () -> KeyPath<Target, Owner?>, deleteRule: DeleteRule = .nullify,
    ordered: Bool = false
  ) { self.init(inverse: inverse(), deleteRule, ordered) }

  @inlinable @inline(__always)
  init(inverse: @autoclosure () -> AnyKeyPath?, _ rule: DeleteRule, _ isOrdered: Bool) {
    members = nil
    guard let cursor = RowCursor.current else {
      relation = 0
      return
    }
    if cursor.pointee.mode == .probe {
      relation = _probeToMany(cursor, Target.self, inverse(), rule, isOrdered)
    } else {
      relation = cursor.pointee.relation
      cursor.pointee.relation = relation &+ 1
    }
  }

  /// `@ToMany` is available only in classes that inherit from ``ManagedObject``.
  @available(*, unavailable, message: "@ToMany belongs in a subclass of ManagedObject")
  public var wrappedValue: RelatedObjects<Target> {
    get { [] }
    set { _ = newValue }
  }

  /// Reads or replaces the members of an object's relationship.
  public static subscript<Object: ManagedObject>(
    _enclosingInstance object: Object,
    wrapped wrapped: ReferenceWritableKeyPath<Object, RelatedObjects<Target>>,
    storage storage: ReferenceWritableKeyPath<Object, Self>
  ) -> RelatedObjects<Target> {
    @inlinable @inline(__always) get { _related(object, object[keyPath: storage].relation) }
    @inlinable @inline(__always) set { _setRelated(object, object[keyPath: storage].relation, newValue) }
  }
}

@usableFromInline func _related<Target: ManagedObject>(_ object: ManagedObject, _ relation: UInt32) -> RelatedObjects<
  Target
> {
  if object._state & ObjectState.watched != 0 {
    if object._state & ObjectState.making != 0 {
      _reportAccess(object, relation)
      return []
    }
    _reportAccess(object, relation &+ UInt32(ObjectState.firstRelation))
  }
  #if DEBUG
  _checkIsolation(object)
  #endif
  return RelatedObjects(owner: object, relation: Int(relation))
}

@usableFromInline func _setRelated<Target: ManagedObject>(
  _ object: ManagedObject, _ relation: UInt32, _ related: RelatedObjects<Target>
) {
  _edit(object, Int(relation)) { $0.setMembers(of: object, relation: Int(relation), to: related.map { $0 }) }
}

/// Changes a to-many relationship, if its object can be changed here.
func _edit(_ object: ManagedObject, _ relation: Int, _ body: (ObjectOwner) -> Void) {
  #if DEBUG
  _checkIsolation(object)
  #endif
  guard let owner = object._objectOwner?.takeUnretainedValue(), owner.mayEdit(object, relation: relation) else {
    return
  }
  body(owner)
}
