extension IndexCondition {

  init(_ condition: QueryExpression, of entity: Entity) throws(UnsupportedQueryError) {
    try IndexCondition.check(condition, entity)
    var conjuncts: [String] = []
    var withValues: [String] = []
    for conjunct in condition.conjunction {
      let (sql, hasValues) = try SQLGenerator.literalSQL(of: conjunct, entity, alias: "")
      conjuncts.append(sql)
      if hasValues { withValues.append(sql) }
    }
    self.init(
      conjuncts: conjuncts, slots: QueryDependencies(condition, in: entity).slots[entity.index] ?? SlotSet(),
      conjunctsWithValues: withValues)
  }

  /// Refuses what SQLite does not allow in an index, and what would make the file depend on functions of the library.
  private static func check(_ expression: QueryExpression, _ entity: Entity) throws(UnsupportedQueryError) {
    switch expression {
    case .unsupportedQuery(let refusal): throw refusal
    case .value(let value): try check(value)
    case .isIn(let part, let values):
      try check(part, entity)
      for value in values { try check(value) }
    case .truth: break
    case .property(let path, of: 0):
      switch entity.property(at: path) {
      case .attribute, .toOne: break
      case .id, .toMany, nil: throw .notInIndex(QueryExpression.description(of: path, in: entity).text)
      }
    case .text(_, .begins, .value), .text(_, .contains, _), .equal, .ordered, .and, .or, .not, .arithmetic,
      .conditional, .coalesced:
      for part in expression.parts { try check(part, entity) }
    case .literal(let part, _): try check(part, entity)
    case .text: throw .notInIndex("a comparison of texts")
    case .folded: throw .notInIndex("a folded text")
    case .length: throw .notInIndex("a length")
    case .field: throw .notInIndex("a property of a stored value")
    case .scope, .property, .member, .first, .present, .exists, .count, .aggregate, .grouped, .search, .rank:
      throw .notInIndex("a value that is not the object's own")
    }
  }

  private static func check(_ value: StoredValue) throws(UnsupportedQueryError) {
    guard case .real(let number) = value, !value.isLiteralExact else { return }
    throw UnsupportedQueryError(
      "the number \(number)", "cannot be in the condition of an index: SQLite would read it as another number")
  }
}

extension UnsupportedQueryError {
  fileprivate static func notInIndex(_ what: String) -> UnsupportedQueryError {
    UnsupportedQueryError(
      what,
      "the condition of an index can only compare the object's own attributes and to-one relationships, or test texts "
        + "with hasPrefix and contains")
  }
}

extension SQLGenerator {
  /// A condition on the object itself with its values as literals, and whether there are any.
  static func literalSQL(
    of condition: QueryExpression, _ entity: Entity, alias: String
  ) throws(UnsupportedQueryError) -> (sql: String, hasValues: Bool) {
    var generator = SQLGenerator(entity, alias: alias, writingLiterals: true)
    let sql = try generator.condition(condition).sql
    return (sql, !generator.arguments.isEmpty)
  }
}

extension Entity {
  /// A conjunct as it stands in the condition of an index. Nil if no index has conditions, or if the conjunct cannot be
  /// written with literals, which means that no index has it.
  func indexCondition(_ conjunct: QueryExpression) -> String? {
    guard let longest = indexes.flatMap({ $0.condition?.conjuncts ?? [] }).map(\.utf8.count).max() else { return nil }
    // A list with more values than that has a longer text. Writing it would take longer than the query.
    if case .isIn(_, let values) = conjunct, values.count > longest { return nil }
    return try? SQLGenerator.literalSQL(of: conjunct, self, alias: "").sql
  }

  /// The condition with literals in those conjuncts that the condition of an index has, too, so that SQLite recognizes
  /// them.
  func withIndexLiterals(_ condition: QueryExpression) -> QueryExpression {
    if case .and(let left, let right) = condition { return .and(withIndexLiterals(left), withIndexLiterals(right)) }
    guard let sql = indexCondition(condition),
      let number = indexConjuncts.firstIndex(where: { $0.hasSameBytes(as: sql) })
    else { return condition }
    return .literal(condition, number: number)
  }
}
