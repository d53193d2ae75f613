internal import Foundation

extension PredicateExpressions.CollectionContainsCollection: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> QueryExpression {
    guard Base.Output.self == String.self, Other.Output.self == String.self else {
      return .unsupportedQuery(.node(Self.self, "only a search for a String within a String is supported"))
    }
    return .text(translator.expression(base), .contains, translator.expression(other))
  }
}

extension PredicateExpressions.SequenceStartsWith: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> QueryExpression {
    guard Base.Output.self == String.self, Prefix.Output.self == String.self else {
      return .unsupportedQuery(.node(Self.self, "only a String can be the prefix of a String"))
    }
    return .text(translator.expression(base), .begins, translator.expression(prefix))
  }
}
