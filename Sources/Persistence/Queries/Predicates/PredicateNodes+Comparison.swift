internal import Foundation

extension PredicateExpressions.Equal: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> QueryExpression {
    .equal(translator.expression(lhs), translator.expression(rhs))
  }
}

extension PredicateExpressions.NotEqual: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> QueryExpression {
    .not(.equal(translator.expression(lhs), translator.expression(rhs)))
  }
}

extension PredicateExpressions.Comparison: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> QueryExpression {
    let order: QueryExpression.Order
    switch op {
    case .lessThan: order = .less
    case .lessThanOrEqual: order = .lessOrEqual
    case .greaterThan: order = .greater
    case .greaterThanOrEqual: order = .greaterOrEqual
    // On Apple's platforms a later Foundation may add operators.
    @unknown default: return .unsupportedQuery(.node(Self.self, "this library version does not support this operator"))
    }
    guard StoredForm.isInOrder(LHS.Output.self) else { return .unsupportedQuery(.unordered(LHS.Output.self, order)) }
    return .ordered(translator.expression(lhs), order, translator.expression(rhs))
  }
}

extension PredicateExpressions.RangeExpressionContains: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> QueryExpression {
    let element = translator.expression(element)
    if let range = range as? any RangeNode { return range.contains(element, by: &translator) }
    guard let value = range as? any ValueNode, let captured = value.captured as? any Swift.RangeExpression else {
      return .unsupportedQuery(.node(Self.self, "the range must be written in the predicate or captured by it"))
    }
    return .isIn(element, captured)
  }
}

/// A range that is written in the predicate itself.
private protocol RangeNode {
  func contains(_ element: QueryExpression, by translator: inout PredicateTranslator) -> QueryExpression
}

extension PredicateExpressions.Range: RangeNode, TranslatableNode {
  func contains(_ element: QueryExpression, by translator: inout PredicateTranslator) -> QueryExpression {
    guard StoredForm.isInOrder(LHS.Output.self) else { return .unsupportedQuery(.unordered(LHS.Output.self, .less)) }
    return .and(
      .ordered(element, .greaterOrEqual, translator.expression(lower)),
      .ordered(element, .less, translator.expression(upper)))
  }

  func translated(by translator: inout PredicateTranslator) -> QueryExpression {
    .unsupportedQuery(.node(Self.self, "a range can only be used to test whether it contains a value"))
  }
}

extension PredicateExpressions.ClosedRange: RangeNode, TranslatableNode {
  func contains(_ element: QueryExpression, by translator: inout PredicateTranslator) -> QueryExpression {
    guard StoredForm.isInOrder(LHS.Output.self) else { return .unsupportedQuery(.unordered(LHS.Output.self, .less)) }
    return .and(
      .ordered(element, .greaterOrEqual, translator.expression(lower)),
      .ordered(element, .lessOrEqual, translator.expression(upper)))
  }

  func translated(by translator: inout PredicateTranslator) -> QueryExpression {
    .unsupportedQuery(.node(Self.self, "a range can only be used to test whether it contains a value"))
  }
}
