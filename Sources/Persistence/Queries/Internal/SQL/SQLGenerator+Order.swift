extension SQLGenerator {
  /// The SQL of a sort key, and the term of ORDER BY.
  mutating func order<Object: ManagedObject>(
    by sort: Sort<Object>
  ) throws(UnsupportedQueryError) -> (key: String, term: String) {
    var key = try value(sort.key)
    if case .object = key.kind { throw UnsupportedQueryError(description(of: sort.key), "is a relationship") }
    // SQLite takes an integer for the number of a column, also in parentheses.
    if ["(0)", "(1)"].contains(key.sql) { key = SQLFragment("NULL", .value, isNullable: false) }
    var term = key.sql + (sort.isDescending ? " DESC" : "")
    if key.isNullable, sort.movesNulls { term += sort.nulls == .last ? " NULLS LAST" : " NULLS FIRST" }
    return (key.sql, term)
  }

  /// `LIMIT … OFFSET …`, or nothing.
  mutating func bounds<Object>(of request: FetchDescriptor<Object>) throws(UnsupportedQueryError) -> String {
    guard let bounds = request.bounds else { return "" }
    return " LIMIT \(try parameter(.integer(bounds.limit))) OFFSET \(try parameter(.integer(bounds.offset)))"
  }

  /// The SQL of the values that become the columns of the result.
  mutating func columns(_ terms: [SelectedTerm]) throws(PersistenceError) -> [String] {
    do throws(UnsupportedQueryError) {
      return try terms.map { (term) throws(UnsupportedQueryError) in try column(term) }
    } catch {
      throw .unsupportedQuery(error)
    }
  }

  private mutating func column(_ term: SelectedTerm) throws(UnsupportedQueryError) -> String {
    let value = try value(term.expression)
    if case .object = value.kind {
      throw UnsupportedQueryError(
        description(of: term.expression), "is a relationship: select its id, or an attribute of its object")
    }
    if case .member = term.expression, value.isNullable, !term.isOptional {
      throw UnsupportedQueryError(
        description(of: term.expression),
        "it is nil without a related object: append `.optional`, or a default with `??`")
    }
    if case .field(let whole, _) = term.expression, !term.isOptional, try mayBeNil(whole) {
      throw UnsupportedQueryError(
        description(of: term.expression),
        "it is nil if the value that contains it is nil: append `.optional`, or a default with `??`")
    }
    return value.sql
  }

  private mutating func mayBeNil(_ value: QueryExpression) throws(UnsupportedQueryError) -> Bool {
    guard case .field(let whole, let field) = value else { return try self.value(value).isNullable }
    return field.isOptional ? true : try mayBeNil(whole)
  }

  private func description(of expression: QueryExpression) -> String {
    guard case .row(_, let entity) = scopes.first else { return "a value" }
    return expression.description(in: entity).text
  }
}
