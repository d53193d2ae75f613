internal import Foundation

extension PredicateExpressions.Equal: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> Expression {
    .equal(translator.expression(lhs), translator.expression(rhs))
  }
}

extension PredicateExpressions.NotEqual: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> Expression {
    .not(.equal(translator.expression(lhs), translator.expression(rhs)))
  }
}

extension PredicateExpressions.Comparison: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> Expression {
    let order: Expression.Order =
      switch op {
      case .lessThan: .less
      case .lessThanOrEqual: .lessOrEqual
      case .greaterThan: .greater
      case .greaterThanOrEqual: .greaterOrEqual
      }
    guard StoredForm.isInOrder(LHS.Output.self) else { return .refused(.unordered(LHS.Output.self, order)) }
    return .ordered(translator.expression(lhs), order, translator.expression(rhs))
  }
}

extension PredicateExpressions.RangeExpressionContains: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> Expression {
    let element = translator.expression(element)
    if let range = range as? any RangeNode { return range.contains(element, by: &translator) }
    guard let value = range as? any ValueNode, let captured = value.captured as? any Swift.RangeExpression else {
      return .refused(.node(Self.self, "the range is neither written out nor captured"))
    }
    return .isIn(element, captured)
  }
}

/// A range that is written out in the predicate.
private protocol RangeNode {
  func contains(_ element: Expression, by translator: inout PredicateTranslator) -> Expression
}

extension PredicateExpressions.Range: RangeNode, TranslatableNode {
  func contains(_ element: Expression, by translator: inout PredicateTranslator) -> Expression {
    guard StoredForm.isInOrder(LHS.Output.self) else { return .refused(.unordered(LHS.Output.self, .less)) }
    return .and(
      .ordered(element, .greaterOrEqual, translator.expression(lower)),
      .ordered(element, .less, translator.expression(upper)))
  }

  func translated(by translator: inout PredicateTranslator) -> Expression {
    .refused(.node(Self.self, "a range can only be asked whether it contains a value"))
  }
}

extension PredicateExpressions.ClosedRange: RangeNode, TranslatableNode {
  func contains(_ element: Expression, by translator: inout PredicateTranslator) -> Expression {
    guard StoredForm.isInOrder(LHS.Output.self) else { return .refused(.unordered(LHS.Output.self, .less)) }
    return .and(
      .ordered(element, .greaterOrEqual, translator.expression(lower)),
      .ordered(element, .lessOrEqual, translator.expression(upper)))
  }

  func translated(by translator: inout PredicateTranslator) -> Expression {
    .refused(.node(Self.self, "a range can only be asked whether it contains a value"))
  }
}
