extension QueryExpression {
  /// The conditions that must all be true. This is only the expression itself if it is not a conjunction.
  var conjunction: [QueryExpression] { if case .and = self { operands } else { [self] } }

  /// The operands of a conjunction or a disjunction, in the order in which they are written. Found iteratively, without
  /// a stack frame for each.
  var operands: [QueryExpression] {
    var result: [QueryExpression] = []
    var open = [self]
    while let next = open.popLast() {
      switch (self, next) {
      case (.and, .and(let left, let right)), (.or, .or(let left, let right)): open += [right, left]
      default: result.append(next)
      }
    }
    return result
  }
}

extension QueryExpression {
  static func calculated(
    _ left: QueryExpression, _ operation: Arithmetic, _ right: QueryExpression, as type: Any.Type
  ) -> QueryExpression {
    guard StoredForm.isCalculable(type) else {
      let reason = "the store can calculate only with integers and Double"
      return .unsupportedQuery(UnsupportedQueryError("\(type) \(operation.rawValue) \(type)", reason))
    }
    return .arithmetic(left, operation, right)
  }
}
