internal import Foundation

/// Turns a Foundation predicate into an expression. What it cannot translate becomes ``Expression/refused(_:)``.
struct PredicateTranslator {
  /// How many scopes there are, and which of them each variable stands for.
  private var depth = 0
  private var scopes: [PredicateExpressions.VariableID: Int] = [:]

  static func expression<Root: ManagedObject>(of predicate: Predicate<Root>) -> Expression {
    var translator = PredicateTranslator()
    return translator.within(predicate.variable.key) { $0.condition(predicate.expression) }
  }

  /// `Node` is one of `PredicateExpressions`, or a type of somebody else, which is refused.
  mutating func expression<Node: PredicateExpression>(_ node: Node) -> Expression {
    guard let node = node as? any TranslatableNode else { return .refused(.node(Node.self, "is not known")) }
    return node.translated(by: &self)
  }

  mutating func condition<Node: PredicateExpression>(_ node: Node) -> Expression {
    let expression = expression(node)
    // A property of type Bool, or what else is merely a number, becomes a comparison.
    return expression.isCondition || expression.isDefaulted ? expression : .equal(expression, .truth(true))
  }

  /// The members of a relationship, or those that pass a filter.
  mutating func members<Node: PredicateExpression>(_ node: Node) -> Members {
    if let filter = node as? any FilterNode { return filter.members(by: &self) }
    guard Node.Output.self is any RelatedObjects.Type else {
      let refusal = QueryRefusal.node(Node.self, "only relationships can be searched, counted and filtered")
      return Members(owner: .refused(refusal), test: .truth(true))
    }
    return Members(owner: expression(node), test: .truth(true))
  }

  /// Inside, the variable is scope 0.
  mutating func within<Result>(
    _ variable: PredicateExpressions.VariableID, _ body: (inout PredicateTranslator) -> Result
  ) -> Result {
    scopes[variable] = depth
    depth += 1
    defer { depth -= 1 }
    return body(&self)
  }

  /// Inside, scope 0 has no variable.
  mutating func withinAnonymous<Result>(_ body: (inout PredicateTranslator) -> Result) -> Result {
    depth += 1
    defer { depth -= 1 }
    return body(&self)
  }

  func scope(_ variable: PredicateExpressions.VariableID) -> Expression {
    guard let scope = scopes[variable], scope < depth else {
      return .refused(QueryRefusal("a variable", "is not one of the predicate's"))
    }
    return .scope(depth - 1 - scope)
  }
}

/// A relationship, and a condition on its members, each of which is scope 0 of it.
struct Members {
  let owner: Expression
  let test: Expression

  /// The condition and another one.
  func test(and other: Expression) -> Expression {
    if case .truth(true) = test { return other }
    return .and(test, other)
  }
}

/// A node of a predicate that has a translation, or a refusal of its own.
protocol TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> Expression
}

protocol FilterNode {
  func members(by translator: inout PredicateTranslator) -> Members
}

extension QueryRefusal {
  /// Names a node by its type, without the types of its parts.
  static func node(_ type: Any.Type, _ reason: String) -> QueryRefusal {
    let name = "\(type)".prefix { $0 != "<" }
    return QueryRefusal(String(name), reason)
  }
}

extension Expression {
  /// Whether it is `value.map { condition } ?? condition`, of which the generator makes a condition.
  fileprivate var isDefaulted: Bool {
    guard case .coalesced(.present(_, let then), let fallback) = self else { return false }
    return then.isCondition && fallback.isCondition
  }
}
