internal import Foundation

extension PredicateExpressions.Conjunction: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> QueryExpression {
    .and(translator.condition(lhs), translator.condition(rhs))
  }
}

extension PredicateExpressions.Disjunction: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> QueryExpression {
    .or(translator.condition(lhs), translator.condition(rhs))
  }
}

extension PredicateExpressions.Negation: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> QueryExpression { .not(translator.condition(wrapped)) }
}

extension PredicateExpressions.Conditional: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> QueryExpression {
    let test = translator.condition(test)
    return .conditional(test, then: translator.expression(trueBranch), otherwise: translator.expression(falseBranch))
  }
}

extension PredicateExpressions.NilLiteral: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> QueryExpression { .value(.null) }
}

extension PredicateExpressions.NilCoalesce: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> QueryExpression {
    .coalesced(translator.expression(lhs), translator.expression(rhs))
  }
}

extension PredicateExpressions.OptionalFlatMap: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> QueryExpression {
    let value = translator.expression(wrapped)
    return .present(value, then: translator.within(variable.key) { $0.expression(transform) })
  }
}

/// Nil stays nil, and every comparison with it is false, except with nil. Foundation throws instead.
extension PredicateExpressions.ForcedUnwrap: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> QueryExpression { translator.expression(inner) }
}
