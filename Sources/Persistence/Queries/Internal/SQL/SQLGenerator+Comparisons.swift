extension SQLGenerator {
  mutating func equal(
    _ left: QueryExpression, _ right: QueryExpression, negated: Bool
  ) throws(UnsupportedQueryError) -> SQLFragment {
    if left.isNeverStored || right.isNeverStored {
      // The other operand is still translated, for its errors and its parameters.
      _ = try left.isNeverStored ? SQLFragment.never : value(left)
      _ = try right.isNeverStored ? SQLFragment.never : value(right)
      return .condition(negated ? "1" : "0", isNullable: false)
    }
    let (left, right) = (try value(left), try value(right))
    if left.isNullable && right.isNullable || negated && (left.isNullable || right.isNullable) {
      // `IS` can use indexes like `=`, but is not NULL for NULL.
      return .condition("\(left.sql) \(negated ? "IS NOT" : "IS") \(right.sql)", isNullable: false)
    }
    return .condition(
      "\(left.sql) \(negated ? "<>" : "=") \(right.sql)", isNullable: left.isNullable || right.isNullable,
      failing: left.failing.union(right.failing))
  }

  mutating func ordered(
    _ left: QueryExpression, _ order: QueryExpression.Order, _ right: QueryExpression
  ) throws(UnsupportedQueryError) -> SQLFragment {
    if left.isNaN || right.isNaN {
      _ = try left.isNaN ? SQLFragment.never : value(left)
      _ = try right.isNaN ? SQLFragment.never : value(right)
      return .never
    }
    let (left, right) = (try value(left), try value(right))
    return .condition(
      "\(left.sql) \(order.rawValue) \(right.sql)", isNullable: left.isNullable || right.isNullable,
      failing: left.failing.union(right.failing))
  }

  mutating func isIn(_ element: QueryExpression, _ values: [StoredValue]) throws(UnsupportedQueryError) -> SQLFragment {
    let element = try value(element)
    let set: String
    switch ValueList(values) {
    case .integers(let numbers) where !writesLiterals:
      set = "(SELECT value FROM json_each(\(try parameter(ValueList.json(numbers)))))"
    case .integers(let others), .others(let others):
      guard others.count <= ValueList.maximumOthers else {
        throw UnsupportedQueryError(
          "isIn", "at most \(ValueList.maximumOthers) values that cannot be bound as integers are allowed")
      }
      var marks: [String] = []
      for other in others { marks.append(try parameter(other)) }
      set = "(\(marks.joined(separator: ",")))"
    }
    let sql = "\(element.sql) IN \(set)"
    if values.contains(where: \.isNull), element.isNullable {
      return .condition("(\(sql) OR \(element.sql) IS NULL)", isNullable: true)
    }
    return .condition(sql, isNullable: element.isNullable, failing: element.failing)
  }

  mutating func matching(
    _ text: QueryExpression, _ match: TextMatch, _ other: QueryExpression
  ) throws(UnsupportedQueryError) -> SQLFragment {
    let folded = try foldedColumn(of: text)
    let text = try value(text)
    if case .begins = match, case .value(.text(let prefix)) = other {
      // A range, because it can use an index.
      let (first, end) = (try parameter(.text(prefix)), try parameter(.bound(afterPrefix: prefix)))
      let sql = "(\(text.sql) >= \(first) AND \(text.sql) < \(end))"
      return .condition(sql, isNullable: text.isNullable, failing: text.failing)
    }
    let other = try value(other)
    let isNullable = text.isNullable || other.isNullable
    let failing = text.failing.union(other.failing)
    if let sql = folded.flatMap({ SQLGenerator.matching(folded: $0, match, other.sql) }) {
      return .condition(sql, isNullable: isNullable, failing: failing)
    }
    if case .contains = match {
      return .condition("instr(\(text.sql), \(other.sql)) > 0", isNullable: isNullable, failing: failing)
    }
    return .condition(
      "\(TextFunction.name(of: match))(\(text.sql), \(other.sql))", isNullable: isNullable, failing: failing)
  }

  /// Whether an expression is a property of type `Bool`, which is not nil.
  func isBool(_ expression: QueryExpression) -> Bool {
    guard case .property(let path, let scope) = expression, scopes.indices.contains(scopes.count - 1 - scope),
      case .row(_, let entity) = scopes[scopes.count - 1 - scope], case .attribute(let slot) = entity.property(at: path)
    else { return false }
    return entity.columns[slot].valueType == Bool.self
  }

  /// A condition on the row itself whose values are written as literals.
  func literal(_ condition: QueryExpression) throws(UnsupportedQueryError) -> SQLFragment {
    guard case .row(let alias, let entity) = scopes.first, scopes.count == 1 else {
      throw UnsupportedQueryError("a variable", "is not a row")
    }
    return .condition(
      try SQLGenerator.literalSQL(of: condition, entity, alias: alias).sql,
      isNullable: true)
  }
}
