extension SQLGenerator {
  mutating func field(_ value: QueryExpression, _ field: ValueField) throws(UnsupportedQueryError) -> SQLFragment {
    if let column = try fieldColumn(value, field) { return SQLFragment(column, .value, isNullable: true) }
    let json = try self.value(value)
    guard case .value = json.kind else {
      throw UnsupportedQueryError(field.path.queryDescription, "is not a property of a stored value")
    }
    let path = FieldPath(names: [field.name], form: field.form.rawValue)
    return SQLFragment(path.sql(of: json.sql), .value, isNullable: true, failing: json.failing)
  }

  /// The column that contains a field of a row, which an index needs, or nil if the store has only the JSON.
  private func fieldColumn(
    _ value: QueryExpression, _ field: ValueField
  ) throws(UnsupportedQueryError) -> String? {
    guard let (path, scope, names) = value.fieldSource, scopes.indices.contains(scopes.count - 1 - scope),
      case .row(let alias, let entity) = try self.scope(scope), case .attribute(let slot) = entity.property(at: path)
    else { return nil }
    let column = entity.columns[slot]
    let wanted = FieldPath(names: names + [field.name], form: field.form.rawValue)
    guard column.fields.contains(where: { $0.path == wanted }) else { return nil }
    return SQLGenerator.column(alias, SQL.name(SQL.field(wanted, of: column.name)))
  }
}

extension QueryExpression {
  /// The property that contains a field of a scope's row, and the names on the way to the field.
  var fieldSource: (path: any PropertyPath, scope: Int, names: [String])? {
    switch self {
    case .property(let path, let scope): (path, scope, [])
    case .field(let value, let field): value.fieldSource.map { ($0.path, $0.scope, $0.names + [field.name]) }
    default: nil
    }
  }
}
