/// One of the conditions that must all be true.
struct Conjunct {
  /// SQL that is true, or else false or NULL.
  let sql: String
  /// Whether an index on the row's own table finds what makes it true.
  let isIndexed: Bool
  /// The ways to find what makes it true by an index on another table.
  var starts: [RelatedStart] = []
}

/// A way to answer a condition on related objects: from them to the objects that lead to them, by indexes.
struct RelatedStart {
  /// What of the object's row leads to the related ones, and what it must be equal to.
  let column: String
  let key: String
  /// `FROM`, from the first table to the one that has the key; they are read in this order.
  let tables: String
  let conditions: [String]
  /// `FROM … WHERE …` for the rows of the first table that have to be read.
  let first: String

  /// The condition in a form that SQLite answers by making a list of the keys first.
  var sql: String {
    let filter = conditions.isEmpty ? "" : " WHERE " + SQLGenerator.joined(conditions, " AND ")
    return "\(column) IN (SELECT \(key) FROM \(tables)\(filter))"
  }
}
