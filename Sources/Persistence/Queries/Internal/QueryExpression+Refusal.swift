extension QueryExpression {
  /// The first part, in reading order, that could not be translated.
  var firstRefusal: UnsupportedQueryError? {
    if case .unsupportedQuery(let refusal) = self { return refusal }
    for part in parts { if let refusal = part.firstRefusal { return refusal } }
    return nil
  }

  var parts: [QueryExpression] {
    switch self {
    case .value, .truth, .scope, .property, .unsupportedQuery: []
    case .member(let part, _), .not(let part), .length(let part), .isIn(let part, _), .search(let part, _, _),
      .rank(let part, _, _), .literal(let part, _), .field(let part, _), .folded(let part):
      [part]
    case .equal(let left, let right), .and(let left, let right), .or(let left, let right),
      .ordered(let left, _, let right), .text(let left, _, let right), .arithmetic(let left, _, let right),
      .coalesced(let left, let right), .present(let left, let right), .first(let left, let right),
      .exists(let left, let right), .count(let left, let right):
      [left, right]
    case .conditional(let test, let then, let otherwise): [test, then, otherwise]
    case .aggregate(_, let members, let value, let test): [members, value, test]
    case .grouped(_, let value): [value]
    }
  }
}
