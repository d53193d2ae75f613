extension SQLGenerator {
  /// The rows of to-one relationships that the statement itself joins, each of them once for all its attributes.
  ///
  /// For sorting, this is about three times as fast as a subquery for each attribute. In conditions, subqueries remain:
  /// they are evaluated only for the rows that pass the other conditions.
  struct Joins {
    /// More relationships than that are looked up by subqueries. SQLite joins at most 64 tables.
    private static let maximum = 32

    /// The alias of each joined row, by the SQL of the foreign key that leads to it.
    private var aliases: [String: String] = [:]
    private var rows: Set<String> = ["t0"]
    /// `LEFT JOIN …`, which follows the FROM clause.
    private(set) var text = ""

    /// The alias of the row that a foreign key leads to, or nil if that is a row of a subquery.
    mutating func alias(of key: String, _ entity: Entity, next: () -> String) -> String? {
      if let known = aliases[key] { return known }
      guard aliases.count < Joins.maximum, let dot = key.firstIndex(of: "."), rows.contains(String(key[..<dot])) else {
        return nil
      }
      let alias = next()
      aliases[key] = alias
      rows.insert(alias)
      text += " LEFT JOIN \(entity.table) AS \(alias) ON \(alias).\(SQL.name(SQL.id)) = \(key)"
      return alias
    }

    /// Whether a key is one of the statement's own rows.
    func contains(_ key: String) -> Bool {
      key.firstIndex(of: ".").map { rows.contains(String(key[..<$0])) } ?? false
    }

    mutating func add(_ join: String) { text += join }
  }

  /// Joins a subquery with the columns `id` and `rank`. Returns its alias, or nil in a condition and
  /// for the members of a relationship.
  mutating func joinRanks(_ subquery: String, to id: String) -> String? {
    guard joins?.contains(id) == true else { return nil }
    let alias = nextAlias()
    joins?.add(" LEFT JOIN (\(subquery)) AS \(alias) ON \(alias).id = \(id)")
    return alias
  }

  /// From now on, to-one relationships of the statement's rows are joined.
  mutating func beginJoining() { joins = joins ?? Joins() }

  mutating func joinedAlias(of object: SQLFragment, _ entity: Entity) -> String? {
    guard var joins else { return nil }
    let alias = joins.alias(of: object.sql, entity) { nextAlias() }
    self.joins = joins
    return alias
  }
}
