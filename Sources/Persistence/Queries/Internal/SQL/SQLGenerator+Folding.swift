extension SQLGenerator {
  /// The column that contains a text in its folded form, or nil if the store has only the text itself.
  func foldedColumn(of text: QueryExpression) throws(UnsupportedQueryError) -> String? {
    guard case .property(let path, let scope) = text, case .row(let alias, let entity) = try self.scope(scope),
      case .attribute(let slot) = entity.property(at: path)
    else { return nil }
    return entity.columns[slot].foldedName.map { SQLGenerator.column(alias, $0) }
  }

  /// A comparison of a text that is folded with one that is not, or nil if it needs the text itself.
  static func matching(folded column: String, _ match: TextMatch, _ other: String) -> String? {
    let folded = "\(TextFunction.fold)(\(other))"
    return switch match {
    case .foldedEquals: "\(column) = \(folded)"
    // A range, because it can use an index.
    case .foldedBegins: "(\(column) >= \(folded) AND \(column) < \(TextFunction.foldEnd)(\(other)))"
    case .foldedContains: "instr(\(column), \(folded)) > 0"
    case .foldedEnds: "\(TextFunction.name(of: .ends))(\(column), \(folded))"
    // A pattern is folded together with its signs.
    case .foldedLike, .contains, .begins, .ends: nil
    }
  }
}
