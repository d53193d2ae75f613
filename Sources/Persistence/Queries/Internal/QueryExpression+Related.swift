extension QueryExpression {
  /// The equivalent condition on a relationship's members, if there is one: `$0.owner?.name == x` has the same meaning
  /// as ``exists(in:where:)`` for the owner.
  ///
  /// The other operand must not be nil, because a missing object would equal it. It must not be a scope either, because
  /// its index would be relative to another scope.
  var asExists: QueryExpression? {
    switch self {
    case .exists(.present(let object, let members), let test):
      guard members.isClosed(within: 1), test.isClosed(within: 1) else { return nil }
      return QueryExpression.exists(in: object, where: .exists(in: members, where: test)).asExists
    case .exists(.member(let object, let path), let test):
      guard test.isClosed(within: 1) else { return nil }
      return QueryExpression.exists(in: object, where: .exists(in: .property(path, of: 0), where: test)).asExists
    case .exists: return self
    case .coalesced(.present(let object, let then), .truth(false)) where then.isCondition,
      .equal(.present(let object, let then), .truth(true)) where then.isCondition:
      return QueryExpression.exists(in: object, where: then).asExists
    case .equal(let left, .value(let value)) where !value.isNull:
      return left.asExists { .equal($0, .value(value)) }
    case .equal(let left, .truth(let truth)): return left.asExists { .equal($0, .truth(truth)) }
    case .ordered(let left, let order, .value(let value)): return left.asExists { .ordered($0, order, .value(value)) }
    case .isIn(let left, let values) where !values.contains(where: \.isNull):
      return left.asExists { .isIn($0, values) }
    case .text(let left, let match, .value(let value)): return left.asExists { .text($0, match, .value(value)) }
    default: return nil
    }
  }

  private func asExists(_ test: (QueryExpression) -> QueryExpression) -> QueryExpression? {
    switch self {
    case .present(let object, let value) where !value.isCondition:
      QueryExpression.exists(in: object, where: test(value)).asExists
    case .member(let object, let path): QueryExpression.exists(in: object, where: test(.property(path, of: 0))).asExists
    default: nil
    }
  }

  /// Whether the expression refers only to the innermost `depth` scopes.
  func isClosed(within depth: Int) -> Bool {
    switch self {
    case .scope(let scope), .property(_, let scope): scope < depth
    case .present(let outer, let inner), .first(let outer, let inner), .exists(let outer, let inner),
      .count(let outer, let inner):
      outer.isClosed(within: depth) && inner.isClosed(within: depth + 1)
    case .aggregate(_, let members, let value, let test):
      members.isClosed(within: depth) && value.isClosed(within: depth + 1) && test.isClosed(within: depth + 1)
    default: parts.allSatisfy { $0.isClosed(within: depth) }
    }
  }

  /// Whether this compares the id of a to-one relationship's object, which is the foreign key.
  func isKeyComparison(_ test: QueryExpression, _ path: any PropertyPath, of entity: Entity) -> Bool {
    if case .exists = self { return false }
    guard case .toOne(let relationship) = entity.property(at: path) else { return false }
    return test.comparedColumn(of: relationship.target)?.source == .id
  }

  /// The column of scope 0, an object of the class, if it is compared with values in a way that can use an index.
  func comparedColumn(of entity: Entity) -> ComparedColumn? {
    switch self {
    case .equal(let left, .value(let value)) where !value.isNeverStored:
      left.source(in: entity).map { ComparedColumn(source: $0, isExact: true) }
    case .ordered(let left, _, .value(let value)) where !value.isNeverStored,
      .text(let left, .begins, .value(let value)) where !value.isNeverStored:
      left.source(in: entity).map { ComparedColumn(source: $0, isExact: false) }
    case .equal(let left, .truth), .isIn(let left, _):
      left.source(in: entity).map { ComparedColumn(source: $0, isExact: true) }
    case .text(.property(let path, of: 0), let match, .value) where match == .foldedEquals || match == .foldedBegins:
      entity.slot(at: path).map { ComparedColumn(source: .folded(slot: $0), isExact: match == .foldedEquals) }
    case .literal(let condition, _): condition.comparedColumn(of: entity)
    default: nil
    }
  }

  private func source(in entity: Entity) -> ComparedColumn.Source? {
    switch self {
    case .scope(0): return .id
    case .property(let path, of: 0):
      if case .id = entity.property(at: path) { return .id }
      return entity.slot(at: path).map { .part(EntityIndex.Part(slot: $0)) }
    case .field(_, let field):
      guard let (path, scope, names) = fieldSource, scope == 0 else { return nil }
      let field = FieldPath(names: names, form: field.form.rawValue)
      return entity.slot(at: path).map { .part(EntityIndex.Part(slot: $0, field: field)) }
    default: return nil
    }
  }
}
