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
private protocol RangeNode: UnsupportedNode {
  associatedtype LHS: PredicateExpression
  associatedtype RHS: PredicateExpression
  static var end: QueryExpression.Order { get }
  var lower: LHS { get }
  var upper: RHS { get }
}

extension RangeNode {
  static var reason: String { "a range can only be used to test whether it contains a value" }

  fileprivate func contains(_ element: QueryExpression, by translator: inout PredicateTranslator) -> QueryExpression {
    guard StoredForm.isInOrder(LHS.Output.self) else { return .unsupportedQuery(.unordered(LHS.Output.self, .less)) }
    return .and(
      .ordered(element, .greaterOrEqual, translator.expression(lower)),
      .ordered(element, Self.end, translator.expression(upper)))
  }
}

extension PredicateExpressions.Range: RangeNode { static var end: QueryExpression.Order { .less } }

extension PredicateExpressions.ClosedRange: RangeNode { static var end: QueryExpression.Order { .lessOrEqual } }
