/// The condition of an index, as SQL without parameters, which the schema of a file cannot contain.
///
/// SQLite uses the index for a query that has each of these conjuncts, written in the same way. It compares them as
/// expressions, so the table's alias makes no difference.
struct IndexCondition: Sendable {
  let sql: String
  /// The attributes and to-one relationships on which the condition depends.
  let slots: SlotSet
  /// The conjuncts that contain values. A query has parameters in their place, for which SQLite would prepare it again
  /// with each run in order to compare their values.
  let conjunctsWithValues: [String]

  init(_ condition: QueryExpression, of entity: Entity) throws(UnsupportedQueryError) {
    try IndexCondition.check(condition, entity)
    var conjuncts: [String] = []
    var withValues: [String] = []
    for conjunct in condition.conjunction {
      let (sql, hasValues) = try SQLGenerator.literalSQL(of: conjunct, entity, alias: "")
      conjuncts.append(sql)
      if hasValues { withValues.append(sql) }
    }
    sql = conjuncts.joined(separator: " AND ")
    conjunctsWithValues = withValues
    slots = QueryDependencies(condition, in: entity).slots[entity.index] ?? SlotSet()
  }

  /// Refuses what SQLite does not allow in an index, and what would make the file depend on functions of the library.
  private static func check(_ expression: QueryExpression, _ entity: Entity) throws(UnsupportedQueryError) {
    switch expression {
    case .unsupportedQuery(let refusal): throw refusal
    case .value(.real(let number)):
      // SQLite parses more digits than these without a guarantee that it finds the nearest number.
      guard "\(number)".prefix(while: { $0 != "e" }).count(where: \.isNumber) <= 15 else {
        throw UnsupportedQueryError("a number", "in the condition of an index, it can have at most 15 digits")
      }
    case .value, .truth: break
    case .property(let path, of: 0):
      switch entity.property(at: path) {
      case .attribute, .toOne: break
      case .id, .toMany, nil: throw .notInIndex(path.queryDescription)
      }
    case .text(_, .begins, .value), .text(_, .contains, _), .equal, .ordered, .isIn, .and, .or, .not, .arithmetic,
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
  /// The condition with literals in those conjuncts that the condition of an index has, too, so that SQLite recognizes
  /// them.
  func withIndexLiterals(_ condition: QueryExpression) -> QueryExpression {
    if case .and(let left, let right) = condition { return .and(withIndexLiterals(left), withIndexLiterals(right)) }
    // What cannot be written with literals is not in the condition of an index.
    guard let sql = try? SQLGenerator.literalSQL(of: condition, self, alias: "").sql,
      let number = indexConjuncts.firstIndex(where: { $0.hasSameBytes(as: sql) })
    else { return condition }
    return .literal(condition, number: number)
  }
}
