internal import Foundation

/// A predicate node that has no translation.
protocol UnsupportedNode: TranslatableNode {
  static var reason: String { get }
}

extension UnsupportedNode {
  func translated(by translator: inout PredicateTranslator) -> QueryExpression {
    .unsupportedQuery(.node(Self.self, Self.reason))
  }
}

extension PredicateExpressions.SequenceMaximum: UnsupportedNode {
  static var reason: String { "calculate this outside the predicate" }
}

extension PredicateExpressions.SequenceMinimum: UnsupportedNode {
  static var reason: String { "calculate this outside the predicate" }
}

extension PredicateExpressions.CollectionIndexSubscript: UnsupportedNode {
  static var reason: String { "the store does not support indexes into collections" }
}

extension PredicateExpressions.CollectionRangeSubscript: UnsupportedNode {
  static var reason: String { "the store does not support indexes into collections" }
}

extension PredicateExpressions.DictionaryKeySubscript: UnsupportedNode {
  static var reason: String { "the store does not support dictionaries" }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: UnsupportedNode {
  static var reason: String { "the store does not support dictionaries" }
}

extension PredicateExpressions.ExpressionEvaluate: UnsupportedNode {
  static var reason: String { "write the expression out, or combine queries" }
}

extension PredicateExpressions.StringContainsRegex: UnsupportedNode {
  static var reason: String { "the store does not support regular expressions: use a query's like pattern" }
}
