/// The ranks of all matches of a text, which a statement joins as a table with the columns `id` and `rank`.
struct RankJoin {
  var alias = ""
  /// The SQL for the id of the objects.
  let object: String
  /// The full-text index.
  let table: String
  /// If the class has pending rows, their full-text index and the condition for the other rows.
  let pending: (table: String, others: String)?
  /// The parameter for the weight of each column, or nil for 1.
  let weights: [Int?]
  /// The parameter for the text.
  let text: Int

  /// Whether both are the same ranks of the same objects.
  ///
  /// - Parameter isEqual: Whether two parameters have the same value.
  func isSame(as other: RankJoin, _ isEqual: (Int, Int) -> Bool) -> Bool {
    func isSame(_ left: Int?, _ right: Int?) -> Bool {
      guard let left, let right else { return left == right }
      return isEqual(left, right)
    }
    return object == other.object && table == other.table && isSame(text, other.text)
      && zip(weights, other.weights).allSatisfy { isSame($0, $1) }
  }

  /// The table in parentheses.
  ///
  /// - Parameter end: The order and the limit. With a limit, SQLite calculates the ranks here and not in the statement
  ///   around it, where FTS5 could not, because of a group or another join.
  func subquery(_ end: String) -> String {
    let weights = weights.map { $0.map { "?\($0)" } ?? "1.0" }
    func ranks(_ table: String, _ condition: String = "") -> String {
      let rank = "bm25(\(([table] + weights).joined(separator: ",")))"
      return "SELECT rowid AS id,\(rank) AS rank FROM \(table) WHERE \(table) MATCH ?\(text)\(condition)"
    }
    guard let pending else { return "(\(ranks(table))\(end)) AS \(alias)" }
    let parts = [ranks(table, pending.others), ranks(pending.table)].map { "SELECT * FROM (\($0) LIMIT -1)" }
    return "(\(parts.joined(separator: " UNION ALL "))\(end)) AS \(alias)"
  }

  func join(limit: String = "") -> String { " LEFT JOIN \(subquery(limit)) ON \(alias).id = \(object)" }

  /// A FROM clause that reads the ranks, and then the objects from the table of their class.
  func from(_ objects: String, _ end: String) -> String {
    " FROM \(subquery(end)) CROSS JOIN \(objects) AS t0 ON \(object) = \(alias).id"
  }
}
