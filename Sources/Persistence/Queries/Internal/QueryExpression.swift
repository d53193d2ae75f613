/// A key path that can be sent between threads, as those of literals can.
@usableFromInline typealias PropertyPath = AnyKeyPath & Sendable

/// The meaning of a query, regardless of how it was written. Both back ends, ``SQLGenerator`` and ``Evaluator``,
/// interpret it in the same way.
///
/// Logic is two-valued: a comparison with nil is true or false, never unknown. Objects, and the values of Optionals,
/// are identified by the number of scopes between them and the current one: 0 is the innermost scope. The outermost
/// scope is the object being tested.
enum QueryExpression: Sendable {
  case value(StoredValue)
  case truth(Bool)
  /// The object or the value of a scope.
  case scope(Int)
  /// A property of a scope's object.
  case property(any PropertyPath, of: Int)
  /// A property of the object that an expression results in.
  indirect case member(QueryExpression, any PropertyPath)
  /// A property of a value that is stored as JSON.
  indirect case field(QueryExpression, ValueField)
  /// The first member, in the relationship's order, for which the second expression is true. The member is its scope 0.
  indirect case first(in: QueryExpression, where: QueryExpression)

  /// Whether both are the same. Nil is the same as nil.
  indirect case equal(QueryExpression, QueryExpression)
  indirect case ordered(QueryExpression, Order, QueryExpression)
  indirect case isIn(QueryExpression, [StoredValue])
  indirect case text(QueryExpression, TextMatch, QueryExpression)
  indirect case and(QueryExpression, QueryExpression)
  indirect case or(QueryExpression, QueryExpression)
  indirect case not(QueryExpression)

  indirect case arithmetic(QueryExpression, Arithmetic, QueryExpression)
  /// A text without case and diacritics.
  indirect case folded(QueryExpression)
  /// The number of characters of a text.
  indirect case length(QueryExpression)
  indirect case conditional(QueryExpression, then: QueryExpression, otherwise: QueryExpression)
  indirect case coalesced(QueryExpression, QueryExpression)
  /// Nil if the first expression is nil, otherwise the second one, in which scope 0 is the value of the first.
  indirect case present(QueryExpression, then: QueryExpression)

  /// Whether a relationship has a member for which the second expression is true. The member is its scope 0.
  indirect case exists(in: QueryExpression, where: QueryExpression)
  /// The number of members for which the second expression is true. The member is its scope 0.
  indirect case count(of: QueryExpression, where: QueryExpression)

  /// A function of the values of those members for which the third expression is true. The member is scope 0 of the
  /// second and the third one.
  indirect case aggregate(AggregateFunction, of: QueryExpression, QueryExpression, where: QueryExpression)
  /// A function of the values of a group's rows. The row is scope 0, as it is around it.
  indirect case grouped(AggregateFunction, QueryExpression)

  /// Whether the object matches a search text, in one attribute or in any of those that are searchable.
  indirect case search(QueryExpression, in: (any PropertyPath)?, SearchText)
  /// How well the object matches a search text: bm25, which is smaller for better matches, or nil without a match.
  indirect case rank(QueryExpression, SearchText, [SearchWeightValue])

  /// A condition that is written with literals, because it is the one with this number among those of the class's
  /// indexes.
  indirect case literal(QueryExpression, number: Int)

  /// A part that could not be translated.
  case unsupportedQuery(UnsupportedQueryError)
}

extension QueryExpression {
  enum Order: String, Sendable {
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
  }

  enum Arithmetic: String, Sendable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case remainder = "%"
  }

  /// Whether the value is always true or false, and not a number that represents one of them.
  var isCondition: Bool {
    switch self {
    case .truth, .equal, .ordered, .isIn, .text, .and, .or, .not, .exists, .search, .literal: true
    case .conditional(_, let then, let otherwise): then.isCondition && otherwise.isCondition
    case .coalesced(let first, let second): first.isCondition && second.isCondition
    case .unsupportedQuery, .value, .scope, .property, .member, .field, .first, .arithmetic, .folded, .length, .present,
      .count, .aggregate, .grouped, .rank:
      false
    }
  }
}
