internal import Foundation

extension PredicateExpressions.SequenceContains: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> QueryExpression {
    if let value = (sequence as? any ValueNode)?.captured {
      return captured(value, contains: translator.expression(element))
    }
    guard LHS.Output.self is any AnyRelatedObjects.Type || sequence is any FilterNode else {
      return .unsupportedQuery(.node(Self.self, "only relationships and captured collections can be searched"))
    }
    let members = translator.members(sequence)
    let element = translator.withinAnonymous { $0.expression(self.element) }
    return .exists(in: members.owner, where: members.test(and: .equal(.scope(0), element)))
  }

  private func captured(_ sequence: Any, contains element: QueryExpression) -> QueryExpression {
    // Checked before the test for a sequence: a range may be a very long one.
    if let range = sequence as? any RangeExpression { return .isIn(element, range) }
    guard let sequence = sequence as? any Sequence else {
      return .unsupportedQuery(.node(Self.self, "captured collections of this type are not supported"))
    }
    var values: [StoredValue] = []
    for value in sequence {
      guard let stored = StoredForm.of(any: value) else {
        return .unsupportedQuery(
          .node(Self.self, "the captured collection contains values that attributes cannot have"))
      }
      values.append(stored)
    }
    return .isIn(element, values)
  }
}

extension PredicateExpressions.SequenceContainsWhere: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> QueryExpression {
    let members = translator.members(sequence)
    let test = translator.within(variable.key) { $0.condition(self.test) }
    return .exists(in: members.owner, where: members.test(and: test))
  }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatableNode {
  func translated(by translator: inout PredicateTranslator) -> QueryExpression {
    let members = translator.members(sequence)
    let test = translator.within(variable.key) { $0.condition(self.test) }
    return .not(.exists(in: members.owner, where: members.test(and: .not(test))))
  }
}

extension PredicateExpressions.Filter: TranslatableNode, FilterNode {
  func members(by translator: inout PredicateTranslator) -> Members {
    let members = translator.members(sequence)
    let test = translator.within(variable.key) { $0.condition(self.filter) }
    return Members(owner: members.owner, test: members.test(and: test))
  }

  func translated(by translator: inout PredicateTranslator) -> QueryExpression {
    .unsupportedQuery(.node(Self.self, "filtered objects can only be counted and searched"))
  }
}
