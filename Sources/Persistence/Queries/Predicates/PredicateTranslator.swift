internal import Foundation

/// Translates a Foundation predicate into an expression. Parts without a translation become
/// ``QueryExpression/unsupportedQuery(_:)``.
struct PredicateTranslator {
  /// The number of scopes, and the scope of each variable.
  private var depth = 0
  private var scopes: [PredicateExpressions.VariableID: Int] = [:]

  static func expression<Root: ManagedObject>(of predicate: Predicate<Root>) -> QueryExpression {
    var translator = PredicateTranslator()
    return translator.within(predicate.variable.key) { $0.condition(predicate.expression) }
  }

  /// `Node` is a type of `PredicateExpressions`, or one from elsewhere, which is refused.
  mutating func expression<Node: PredicateExpression>(_ node: Node) -> QueryExpression {
    guard let node = node as? any TranslatableNode else {
      return .unsupportedQuery(.node(Node.self, "is not supported"))
    }
    return node.translated(by: &self)
  }

  mutating func condition<Node: PredicateExpression>(_ node: Node) -> QueryExpression {
    let expression = expression(node)
    // A property of type Bool, or another value that is stored as a number, becomes a comparison.
    return expression.isCondition || expression.isDefaulted ? expression : .equal(expression, .truth(true))
  }

  /// The members of a relationship, or those that match a filter.
  mutating func members<Node: PredicateExpression>(_ node: Node) -> Members {
    if let filter = node as? any FilterNode { return filter.members(by: &self) }
    guard Node.Output.self is any AnyRelatedObjects.Type else {
      let refusal = UnsupportedQueryError.node(Node.self, "only relationships can be searched, counted and filtered")
      return Members(owner: .unsupportedQuery(refusal), test: .truth(true))
    }
    return Members(owner: expression(node), test: .truth(true))
  }

  /// Within the body, the variable is scope 0.
  mutating func within<Result>(
    _ variable: PredicateExpressions.VariableID, _ body: (inout PredicateTranslator) -> Result
  ) -> Result {
    scopes[variable] = depth
    depth += 1
    defer { depth -= 1 }
    return body(&self)
  }

  /// Within the body, scope 0 has no variable.
  mutating func withinAnonymous<Result>(_ body: (inout PredicateTranslator) -> Result) -> Result {
    depth += 1
    defer { depth -= 1 }
    return body(&self)
  }

  func scope(_ variable: PredicateExpressions.VariableID) -> QueryExpression {
    guard let scope = scopes[variable], scope < depth else {
      return .unsupportedQuery(UnsupportedQueryError("a variable", "does not belong to the predicate"))
    }
    return .scope(depth - 1 - scope)
  }
}

/// A relationship, and a condition for its members, in which scope 0 is the member.
struct Members {
  let owner: QueryExpression
  let test: QueryExpression

  /// The condition combined with another one.
  func test(and other: QueryExpression) -> QueryExpression {
    if case .truth(true) = test { return other }
    return .and(test, other)
  }
}

/// A predicate node that has a translation, or a specific refusal.
protocol TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> QueryExpression
}

protocol FilterNode {
  func members(by translator: inout PredicateTranslator) -> Members
}

extension UnsupportedQueryError {
  /// Names a node by its type, without its generic arguments.
  static func node(_ type: Any.Type, _ reason: String) -> UnsupportedQueryError {
    let name = "\(type)".prefix { $0 != "<" }
    return UnsupportedQueryError(String(name), reason)
  }
}

extension QueryExpression {
  /// Whether it is `value.map { condition } ?? condition`, which the generator turns into a condition.
  fileprivate var isDefaulted: Bool {
    guard case .coalesced(.present(_, let then), let fallback) = self else { return false }
    return then.isCondition && fallback.isCondition
  }
}
