internal import Foundation

extension PredicateExpressions.CollectionContainsCollection: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> Expression {
    guard Base.Output.self == String.self, Other.Output.self == String.self else {
      return .refused(.node(Self.self, "only a String can be searched for another"))
    }
    return .text(translator.expression(base), .contains, translator.expression(other))
  }
}

extension PredicateExpressions.SequenceStartsWith: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> Expression {
    guard Base.Output.self == String.self, Prefix.Output.self == String.self else {
      return .refused(.node(Self.self, "only a String can be compared with a prefix"))
    }
    return .text(translator.expression(base), .begins, translator.expression(prefix))
  }
}

extension PredicateExpressions.StringContainsRegex: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> Expression {
    .refused(.node(Self.self, "the store knows no regular expressions; a query's pattern may do"))
  }
}
