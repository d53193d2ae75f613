internal import Foundation

extension PredicateExpressions.Conjunction: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> Expression {
    .and(translator.condition(lhs), translator.condition(rhs))
  }
}

extension PredicateExpressions.Disjunction: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> Expression {
    .or(translator.condition(lhs), translator.condition(rhs))
  }
}

extension PredicateExpressions.Negation: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> Expression { .not(translator.condition(wrapped)) }
}

extension PredicateExpressions.Conditional: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> Expression {
    let test = translator.condition(test)
    return .conditional(test, then: translator.expression(trueBranch), otherwise: translator.expression(falseBranch))
  }
}

extension PredicateExpressions.NilLiteral: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> Expression { .value(.null) }
}

extension PredicateExpressions.NilCoalesce: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> Expression {
    .coalesced(translator.expression(lhs), translator.expression(rhs))
  }
}

extension PredicateExpressions.OptionalFlatMap: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> Expression {
    let value = translator.expression(wrapped)
    return .present(value, then: translator.within(variable.key) { $0.expression(transform) })
  }
}

/// nil stays nil, and fails every comparison but those with nil, where Foundation throws.
extension PredicateExpressions.ForcedUnwrap: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> Expression { translator.expression(inner) }
}
