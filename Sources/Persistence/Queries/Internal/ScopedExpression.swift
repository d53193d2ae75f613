/// The contents of a ``Term``. This type is not generic, because unspecialized code looks up a generic type's metadata
/// for each copy. For the same reason, the members of ``Term`` are inlined into clients.
@usableFromInline struct ScopedExpression: Sendable {
  let expression: QueryExpression
  /// The number of levels in the expression. A relationship counts as four, because its members need more of the stack.
  let depth: Int
  /// The row that is scope 0 of the expression, or none if that is the row of the closure in which the term is used.
  let row: RowNumber

  init(_ expression: QueryExpression, depth: Int = 1, row: RowNumber = .none) {
    self.expression = depth <= UnsupportedQueryError.maximumDepth ? expression : .unsupportedQuery(.tooDeep)
    self.depth = depth <= UnsupportedQueryError.maximumDepth ? depth : 1
    self.row = row
  }

  /// A property of a row.
  @usableFromInline init(_ path: any PropertyPath, of row: RowNumber) {
    expression = .property(path, of: 0)
    depth = 0
    self.row = row
  }

  /// Calls a closure with a new row, which becomes scope 0 of the resulting condition.
  ///
  /// - Parameter isNested: Whether the closure can also use the rows of the closures around it.
  @usableFromInline
  static func condition(isNested: Bool = false, _ body: (RowNumber) -> ScopedExpression) -> ScopedExpression {
    RowFrame.withRow(isNested: isNested) { number in
      let condition = body(number).inInnermostRow
      return ScopedExpression(condition.asCondition, depth: max(1, condition.depth))
    }
  }

  /// Calls a closure with a new row, which becomes scope 0 of the resulting value. The closure can also use the rows of
  /// the closures around it.
  static func nested(_ body: (RowNumber) -> ScopedExpression) -> ScopedExpression {
    RowFrame.withRow(isNested: true) { number in
      let value = body(number).inInnermostRow
      return ScopedExpression(value.expression, depth: max(1, value.depth))
    }
  }

  /// A property of the object that this term refers to.
  @usableFromInline func member(_ path: any PropertyPath) -> ScopedExpression {
    ScopedExpression(.member(expression, path), depth: depth + 4, row: row)
  }

  /// A condition on this term alone.
  func condition(_ condition: QueryExpression) -> ScopedExpression {
    ScopedExpression(condition, depth: depth + 1, row: row)
  }

  @usableFromInline func less(_ value: StoredValue, _ type: any QueryValue.Type) -> ScopedExpression {
    ordered(.less, value, type)
  }

  @usableFromInline func lessOrEqual(_ value: StoredValue, _ type: any QueryValue.Type) -> ScopedExpression {
    ordered(.lessOrEqual, value, type)
  }

  @usableFromInline func greater(_ value: StoredValue, _ type: any QueryValue.Type) -> ScopedExpression {
    ordered(.greater, value, type)
  }

  @usableFromInline func greaterOrEqual(_ value: StoredValue, _ type: any QueryValue.Type) -> ScopedExpression {
    ordered(.greaterOrEqual, value, type)
  }

  private func ordered(
    _ order: QueryExpression.Order, _ value: StoredValue, _ type: any QueryValue.Type
  ) -> ScopedExpression {
    guard type.isStoredInOrder else { return ScopedExpression(.unsupportedQuery(.unordered(type, order))) }
    return condition(.ordered(expression, order, .value(value)))
  }

  func ordered(
    _ order: QueryExpression.Order, _ other: ScopedExpression, _ type: any QueryValue.Type
  ) -> ScopedExpression {
    guard type.isStoredInOrder else { return ScopedExpression(.unsupportedQuery(.unordered(type, order))) }
    return condition(with: other) { .ordered($0.expression, order, $1.expression) }
  }

  @usableFromInline func isEqual(to value: StoredValue, _ type: any Any.Type) -> ScopedExpression {
    // Not as a parameter, so that SQLite recognizes the condition of an index.
    if type == Bool.self, case .integer(let number) = value {
      return condition(.equal(expression, .truth(number != 0)))
    }
    return condition(.equal(expression, .value(value)))
  }

  func isEqual(to other: ScopedExpression) -> ScopedExpression {
    condition(with: other) { .equal($0.expression, $1.expression) }
  }

  @usableFromInline var negated: ScopedExpression {
    // A relationship that is not empty can then be searched from its members, like `contains`.
    if case .not(let inner) = expression, case .exists = inner {
      return ScopedExpression(inner, depth: depth, row: row)
    }
    return condition(.not(asCondition))
  }

  @usableFromInline func and(_ other: ScopedExpression) -> ScopedExpression {
    condition(with: other) { .and($0.asCondition, $1.asCondition) }
  }

  @usableFromInline func or(_ other: ScopedExpression) -> ScopedExpression {
    condition(with: other) { .or($0.asCondition, $1.asCondition) }
  }

  /// A condition on this term and another one.
  @inline(__always)
  func condition(
    with other: ScopedExpression, _ make: (ScopedExpression, ScopedExpression) -> QueryExpression
  ) -> ScopedExpression {
    if row == other.row { return ScopedExpression(make(self, other), depth: max(depth, other.depth) + 1, row: row) }
    let (left, right) = (inInnermostRow, other.inInnermostRow)
    return ScopedExpression(make(left, right), depth: max(left.depth, right.depth) + 1, row: left.row)
  }

  /// The expression as a condition: an attribute is compared with true, which can use an index.
  var asCondition: QueryExpression {
    switch expression {
    case .property, .member, .field: .equal(expression, .truth(true))
    default: expression
    }
  }

  /// The condition of a query that belongs to no row.
  var asCompleteCondition: QueryExpression { row == .none ? asCondition : .unsupportedQuery(.outsideClosure) }

  /// The same term with the innermost closure's row as scope 0. A term without a row belongs to that row.
  var inInnermostRow: ScopedExpression {
    let innermost = RowFrame.innermost
    let number = innermost?.pointee.number ?? .none
    if row == number { return self }
    if row == .none { return ScopedExpression(expression, depth: depth, row: number) }
    var distance = 0
    var frame = innermost
    while let next = frame {
      if next.pointee.number == row {
        return ScopedExpression(expression.addingScopes(distance), depth: depth, row: number)
      }
      distance += 1
      frame = next.pointee.outer
    }
    return ScopedExpression(.unsupportedQuery(.outsideClosure), row: number)
  }
}
