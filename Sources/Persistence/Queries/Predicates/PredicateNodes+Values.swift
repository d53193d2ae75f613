internal import Foundation

/// A value that a predicate has captured, or a property of one.
protocol ValueNode {
  /// The value, or nil if it depends on the object being tested.
  var captured: Any? { get }
}

extension PredicateExpressions.Value: ValueNode, TranslatableNode {
  var captured: Any? { value }

  func translated(by translator: inout PredicateTranslator) -> QueryExpression { .captured(value, as: Output.self) }
}

extension PredicateExpressions.KeyPath: ValueNode {
  var captured: Any? {
    guard let value = (root as? any ValueNode)?.captured as? Root.Output else { return nil }
    return value[keyPath: keyPath]
  }
}

extension QueryExpression {
  static func captured(_ value: Any, as type: Any.Type) -> QueryExpression {
    if let truth = value as? Bool { return .truth(truth) }
    guard let stored = StoredForm.of(any: value) else {
      return .unsupportedQuery(UnsupportedQueryError("a captured \(type)", "attributes cannot have this type"))
    }
    return .value(stored)
  }
}

extension PredicateExpressions.Variable: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> QueryExpression { translator.scope(key) }
}

extension PredicateExpressions.Arithmetic: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> QueryExpression {
    let operation: QueryExpression.Arithmetic
    switch op {
    case .add: operation = .add
    case .subtract: operation = .subtract
    case .multiply: operation = .multiply
    // On Apple's platforms a later Foundation may add operators.
    @unknown default: return .unsupportedQuery(.node(Self.self, "this library version does not support this operator"))
    }
    return .calculated(translator.expression(lhs), operation, translator.expression(rhs), as: Output.self)
  }
}

extension PredicateExpressions.IntDivision: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> QueryExpression {
    .calculated(translator.expression(lhs), .divide, translator.expression(rhs), as: Output.self)
  }
}

extension PredicateExpressions.IntRemainder: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> QueryExpression {
    .calculated(translator.expression(lhs), .remainder, translator.expression(rhs), as: Output.self)
  }
}

extension PredicateExpressions.FloatDivision: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> QueryExpression {
    .calculated(translator.expression(lhs), .divide, translator.expression(rhs), as: Output.self)
  }
}

extension PredicateExpressions.UnaryMinus: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> QueryExpression {
    .calculated(.value(.integer(0)), .subtract, translator.expression(wrapped), as: Output.self)
  }
}

extension PredicateExpressions.TypeCheck: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> QueryExpression {
    Input.Output.self == Desired.self
      ? .truth(true) : .unsupportedQuery(.node(Self.self, "the value is not stored as this type"))
  }
}

extension PredicateExpressions.ConditionalCast: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> QueryExpression {
    Input.Output.self == Desired.self
      ? translator.expression(input) : .unsupportedQuery(.node(Self.self, "the store does not convert values"))
  }
}

extension PredicateExpressions.ForceCast: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> QueryExpression {
    Input.Output.self == Desired.self
      ? translator.expression(input) : .unsupportedQuery(.node(Self.self, "the store does not convert values"))
  }
}
