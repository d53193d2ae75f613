extension Query {
  /// A condition that is true if at least one object in the relationship matches `query`, as in
  /// `.any(\.members, \.name == "Ann")`.
  public static func any<Member: ManagedObject>(
    _ path: any KeyPath<Root, RelatedObjects<Member>> & Sendable, _ query: Query<Member> = .all
  ) -> Query {
    Query(.exists(in: .property(path, of: 0), where: query.expression), depth: query.depth + 4)
  }

  /// A condition that is true if all objects in the relationship match `query`. This is true for an empty relationship.
  public static func all<Member: ManagedObject>(
    _ path: any KeyPath<Root, RelatedObjects<Member>> & Sendable, _ query: Query<Member>
  ) -> Query {
    Query(.not(.exists(in: .property(path, of: 0), where: .not(query.expression))), depth: query.depth + 4)
  }

  /// A condition that is true if no object in the relationship matches `query`.
  public static func none<Member: ManagedObject>(
    _ path: any KeyPath<Root, RelatedObjects<Member>> & Sendable, _ query: Query<Member> = .all
  ) -> Query {
    Query(.not(.exists(in: .property(path, of: 0), where: query.expression)), depth: query.depth + 4)
  }

  /// A condition that is true if the relationship refers to an object that matches `query`, as in
  /// `.any(\.director, \.name == "Coen")`.
  public static func any<Target: ManagedObject>(
    _ path: any KeyPath<Root, Target?> & Sendable, _ query: Query<Target>
  ) -> Query {
    Query(.exists(in: .property(path, of: 0), where: query.expression), depth: query.depth + 4)
  }
}

/// A condition that is true if the relationship refers to the object with this id, or to no object if the id is nil.
public func == <Root: ManagedObject, Target: ManagedObject>(
  path: any KeyPath<Root, Target?> & Sendable, id: ObjectID<Target>?
) -> Query<Root> {
  Query(.equal(.property(path, of: 0), .value(id.map { .integer($0.rawValue) } ?? .null)))
}

/// A condition that is true if the relationship does not refer to the object with this id, or refers to any object if
/// the id is nil.
public func != <Root: ManagedObject, Target: ManagedObject>(
  path: any KeyPath<Root, Target?> & Sendable, id: ObjectID<Target>?
) -> Query<Root> {
  !(path == id)
}

/// A condition that is true if the object has this id, as in `\.id == id`.
public func == <Root: ManagedObject>(
  path: any KeyPath<Root, ObjectID<Root>> & Sendable, id: ObjectID<Root>
) -> Query<Root> {
  Query(.equal(.property(path, of: 0), .value(.integer(id.rawValue))))
}

/// A condition that is true if the object has a different id.
public func != <Root: ManagedObject>(
  path: any KeyPath<Root, ObjectID<Root>> & Sendable, id: ObjectID<Root>
) -> Query<Root> {
  !(path == id)
}
