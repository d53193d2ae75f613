/// The dependencies of a condition: which attributes of which classes, and which join tables.
struct QueryDependencies: Sendable {
  /// By class, including to-one relationships.
  private(set) var slots: [Int: SlotSet] = [:]
  private(set) var joins: Set<Int> = []
  /// The classes of the rows on which the condition depends, apart from the object's own row.
  private(set) var others: Set<Int> = []
  /// Whether the condition depends only on the object's own row.
  private(set) var isLocal = true
  /// The object's own properties, by their key paths.
  private(set) var paths: [AnyKeyPathReference: Source] = [:]

  enum Source: Sendable {
    case id
    case slot(Int)
  }

  private enum Kind {
    case value
    case object(Entity, isRoot: Bool)
    case members(Relationship)
  }

  init(_ condition: QueryExpression?, in entity: Entity) {
    if let condition { add(condition, in: entity) }
  }

  /// Adds the dependencies of another expression about the same object.
  mutating func add(_ expression: QueryExpression, in entity: Entity) {
    var scopes: [Kind] = [.object(entity, isRoot: true)]
    _ = visit(expression, &scopes)
  }

  /// Whether rows of the class make a difference, apart from the object's own row.
  func dependsOn(class index: Int) -> Bool { others.contains(index) || slots[index] != nil }

  mutating func add(slot: Int, of entity: Entity) { slots[entity.index, default: SlotSet()].insert(slot) }

  private mutating func visit(_ expression: QueryExpression, _ scopes: inout [Kind]) -> Kind {
    switch expression {
    case .value, .truth, .unsupportedQuery: return .value
    case .scope(let scope): return kind(scope, scopes)
    case .property(let path, let scope): return property(path, of: kind(scope, scopes))
    case .member(let object, let path):
      isLocal = false
      return property(path, of: visit(object, &scopes))
    case .first(let members, let test):
      let target = visit(members: members, test, &scopes)
      return target.map { .object($0, isRoot: false) } ?? .value
    case .exists(let members, let test), .count(let members, let test):
      _ = visit(members: members, test, &scopes)
      return .value
    case .aggregate(_, let members, let value, let test):
      _ = visit(members: members, .and(value, test), &scopes)
      return .value
    case .equal(let left, let right), .ordered(let left, _, let right), .text(let left, _, let right),
      .and(let left, let right), .or(let left, let right), .arithmetic(let left, _, let right):
      _ = visit(left, &scopes)
      _ = visit(right, &scopes)
      return .value
    case .isIn(let part, _), .not(let part), .length(let part), .grouped(_, let part), .literal(let part, _),
      .field(let part, _), .folded(let part):
      _ = visit(part, &scopes)
      return .value
    case .search(let object, _, _): return search(visit(object, &scopes), dependsOnOthers: false)
    case .rank(let object, _, _): return search(visit(object, &scopes), dependsOnOthers: true)
    case .conditional(let test, let then, let otherwise):
      _ = visit(test, &scopes)
      _ = visit(otherwise, &scopes)
      return visit(then, &scopes)
    case .coalesced(let first, let second):
      _ = visit(second, &scopes)
      return visit(first, &scopes)
    case .present(let value, let then):
      scopes.append(visit(value, &scopes))
      defer { scopes.removeLast() }
      return visit(then, &scopes)
    }
  }

  /// - Parameter dependsOnOthers: Whether the texts of all objects make a difference.
  private mutating func search(_ kind: Kind, dependsOnOthers: Bool) -> Kind {
    isLocal = false
    guard case .object(let entity, let isRoot) = kind else { return .value }
    for slot in entity.searchSlots { add(slot: slot, of: entity) }
    if dependsOnOthers || !isRoot { others.insert(entity.index) }
    return .value
  }

  private mutating func visit(members: QueryExpression, _ test: QueryExpression, _ scopes: inout [Kind]) -> Entity? {
    isLocal = false
    let target: Entity
    switch visit(members, &scopes) {
    case .members(let relationship): target = relationship.target
    case .object(let entity, _): target = entity
    case .value: return nil
    }
    others.insert(target.index)
    // Members are added and removed with their rows, regardless of their values.
    slots[target.index, default: SlotSet()].formUnion(SlotSet())
    scopes.append(.object(target, isRoot: false))
    defer { scopes.removeLast() }
    _ = visit(test, &scopes)
    return target
  }

  private func kind(_ scope: Int, _ scopes: [Kind]) -> Kind {
    scopes.indices.contains(scopes.count - 1 - scope) ? scopes[scopes.count - 1 - scope] : .value
  }

  private mutating func property(_ path: any PropertyPath, of kind: Kind) -> Kind {
    guard case .object(let entity, let isRoot) = kind else {
      // A property of an Optional's object, or of nothing. The translation refuses it.
      isLocal = false
      return .value
    }
    if !isRoot {
      isLocal = false
      others.insert(entity.index)
    }
    switch entity.property(at: path) {
    case nil: return .value
    case .id:
      if isRoot { paths[AnyKeyPathReference(path)] = .id }
      return .value
    case .attribute(let slot):
      add(slot: slot, of: entity)
      if isRoot { paths[AnyKeyPathReference(path)] = .slot(slot) }
      return .value
    case .toOne(let relationship):
      if case .column(let slot) = relationship.storage {
        add(slot: slot, of: entity)
        if isRoot { paths[AnyKeyPathReference(path)] = .slot(slot) }
      }
      return .object(relationship.target, isRoot: false)
    case .toMany(let relationship):
      isLocal = false
      others.insert(relationship.target.index)
      slots[relationship.target.index, default: SlotSet()].formUnion(SlotSet())
      switch relationship.storage {
      case .join(let join, _, _): joins.insert(join.index)
      case .inverseColumn(let slot): add(slot: slot, of: relationship.target)
      case .column: break
      }
      return .members(relationship)
    }
  }
}

/// A key path that is compared by its identity, which is fast to hash. The owner must also retain the expression that
/// it comes from.
struct AnyKeyPathReference: Hashable, Sendable {
  private let identity: ObjectIdentifier

  init(_ path: AnyKeyPath) { identity = ObjectIdentifier(path) }
}
