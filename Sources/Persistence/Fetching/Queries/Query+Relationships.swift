extension Query {
  /// Whether the relationship leads to at least one object, for which `query` is true: `.any(\.members, \.name ==
  /// "Ann")`.
  public static func any<Member: ManagedObject>(
    _ path: any KeyPath<Root, Related<Member>> & Sendable, _ query: Query<Member> = .all
  ) -> Query {
    Query(.exists(in: .property(path, of: 0), where: query.expression), depth: query.depth + 4)
  }

  /// Whether `query` is true for all objects that the relationship leads to, be there any or not.
  public static func all<Member: ManagedObject>(
    _ path: any KeyPath<Root, Related<Member>> & Sendable, _ query: Query<Member>
  ) -> Query {
    Query(.not(.exists(in: .property(path, of: 0), where: .not(query.expression))), depth: query.depth + 4)
  }

  /// Whether the relationship leads to no object for which `query` is true.
  public static func none<Member: ManagedObject>(
    _ path: any KeyPath<Root, Related<Member>> & Sendable, _ query: Query<Member> = .all
  ) -> Query {
    Query(.not(.exists(in: .property(path, of: 0), where: query.expression)), depth: query.depth + 4)
  }

  /// Whether the relationship leads to an object, for which `query` is true: `.any(\.director, \.name == "Coen")`.
  public static func any<Target: ManagedObject>(
    _ path: any KeyPath<Root, Target?> & Sendable, _ query: Query<Target>
  ) -> Query {
    Query(.exists(in: .property(path, of: 0), where: query.expression), depth: query.depth + 4)
  }
}

/// Whether the relationship leads to the object with this id, or to none for nil.
public func == <Root: ManagedObject, Target: ManagedObject>(
  path: any KeyPath<Root, Target?> & Sendable, id: ObjectID<Target>?
) -> Query<Root> {
  Query(.equal(.property(path, of: 0), .value(id.map { .integer($0.rawValue) } ?? .null)))
}

/// Whether the relationship leads elsewhere than to the object with this id, or to one for nil.
public func != <Root: ManagedObject, Target: ManagedObject>(
  path: any KeyPath<Root, Target?> & Sendable, id: ObjectID<Target>?
) -> Query<Root> {
  !(path == id)
}

/// Whether the object is the one with this id: `\.id == id`.
public func == <Root: ManagedObject>(
  path: any KeyPath<Root, ObjectID<Root>> & Sendable, id: ObjectID<Root>
) -> Query<Root> {
  Query(.equal(.property(path, of: 0), .value(.integer(id.rawValue))))
}

/// Whether the object is another than the one with this id.
public func != <Root: ManagedObject>(
  path: any KeyPath<Root, ObjectID<Root>> & Sendable, id: ObjectID<Root>
) -> Query<Root> {
  !(path == id)
}
