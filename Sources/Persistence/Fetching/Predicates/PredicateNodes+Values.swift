internal import Foundation

/// A value that a predicate has captured, or a member of one.
protocol ValueNode {
  /// Nil for what depends on the object that is looked at.
  var captured: Any? { get }
}

extension PredicateExpressions.Value: ValueNode, TranslatableNode {
  var captured: Any? { value }

  func translated(by translator: inout PredicateTranslator) -> Expression { .captured(value, as: Output.self) }
}

extension PredicateExpressions.KeyPath: ValueNode {
  var captured: Any? {
    guard let value = (root as? any ValueNode)?.captured as? Root.Output else { return nil }
    return value[keyPath: keyPath]
  }
}

extension Expression {
  static func captured(_ value: Any, as type: Any.Type) -> Expression {
    if let truth = value as? Bool { return .truth(truth) }
    guard let stored = StoredForm.of(any: value) else {
      return .refused(QueryRefusal("a captured \(type)", "attributes cannot have this type"))
    }
    return .value(stored)
  }
}

extension PredicateExpressions.Variable: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> Expression { translator.scope(key) }
}

extension PredicateExpressions.Arithmetic: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> Expression {
    let operation: Expression.Arithmetic =
      switch op {
      case .add: .add
      case .subtract: .subtract
      case .multiply: .multiply
      }
    return .calculated(translator.expression(lhs), operation, translator.expression(rhs), as: Output.self)
  }
}

extension PredicateExpressions.IntDivision: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> Expression {
    .calculated(translator.expression(lhs), .divide, translator.expression(rhs), as: Output.self)
  }
}

extension PredicateExpressions.IntRemainder: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> Expression {
    .calculated(translator.expression(lhs), .remainder, translator.expression(rhs), as: Output.self)
  }
}

extension PredicateExpressions.FloatDivision: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> Expression {
    .calculated(translator.expression(lhs), .divide, translator.expression(rhs), as: Output.self)
  }
}

extension PredicateExpressions.UnaryMinus: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> Expression {
    .calculated(.value(.integer(0)), .subtract, translator.expression(wrapped), as: Output.self)
  }
}

extension Expression {
  fileprivate static func calculated(
    _ left: Expression, _ operation: Arithmetic, _ right: Expression, as type: Any.Type
  ) -> Expression {
    guard StoredForm.isCalculable(type) else {
      let reason = "the store calculates with whole numbers and Double only"
      return .refused(QueryRefusal("\(type) \(operation.rawValue) \(type)", reason))
    }
    return .arithmetic(left, operation, right)
  }
}

extension PredicateExpressions.TypeCheck: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> Expression {
    Input.Output.self == Desired.self ? .truth(true) : .refused(.node(Self.self, "the store knows no other types"))
  }
}

extension PredicateExpressions.ConditionalCast: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> Expression {
    Input.Output.self == Desired.self
      ? translator.expression(input) : .refused(.node(Self.self, "the store converts no values"))
  }
}

extension PredicateExpressions.ForceCast: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> Expression {
    Input.Output.self == Desired.self
      ? translator.expression(input) : .refused(.node(Self.self, "the store converts no values"))
  }
}
