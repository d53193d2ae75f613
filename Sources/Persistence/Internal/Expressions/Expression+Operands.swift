extension Expression {
  /// The conditions that must all be true, which is this one if it connects none.
  var conjunction: [Expression] { if case .and = self { operands } else { [self] } }

  /// What a conjunction, or a disjunction, connects, in the order in which it is written; found without a stack frame
  /// for each.
  var operands: [Expression] {
    var result: [Expression] = []
    var open = [self]
    while let next = open.popLast() {
      switch (self, next) {
      case (.and, .and(let left, let right)), (.or, .or(let left, let right)): open += [right, left]
      default: result.append(next)
      }
    }
    return result
  }
}
