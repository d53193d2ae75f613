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
    private var ranks: [RankJoin] = []
    /// The parameter for the text of each operand of the statement's condition that is a search.
    private let searches: [Int?]
    /// The ranks with which the statement starts, because one of these operands is a search for the same text, and the
    /// number of that operand.
    private(set) var start: (ranks: RankJoin, conjunct: Int)?
    /// `LEFT JOIN …`, which follows the FROM clause, without the ranks of the start.
    private(set) var text = ""

    init(_ conjuncts: [Conjunct]) { searches = conjuncts.map(\.search) }

    /// The joins of a statement that does not start with ranks.
    var all: String { (start.map { $0.ranks.join(limit: " LIMIT -1") } ?? "") + text }

    private var isFull: Bool { aliases.count + ranks.count >= Joins.maximum }

    /// The alias of the row that a foreign key leads to, or nil if that is a row of a subquery.
    mutating func alias(of key: String, _ entity: Entity, next: () -> String) -> String? {
      if let known = aliases[key] { return known }
      guard !isFull, let dot = key.firstIndex(of: "."), rows.contains(String(key[..<dot])) else {
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

    /// Joins ranks, or finds the same ones if they are joined already. Returns their alias, or nil if no more tables
    /// can be joined.
    mutating func alias(
      of new: RankJoin, _ arguments: ContiguousArray<StoredValue>, next: () -> String
    ) -> String? {
      func isEqual(_ left: Int, _ right: Int) -> Bool { arguments[left - 1] == arguments[right - 1] }
      if let known = ranks.first(where: { $0.isSame(as: new, isEqual) }) { return known.alias }
      if isFull { return nil }
      var new = new
      new.alias = next()
      ranks.append(new)
      let conjunct = searches.firstIndex { $0.map { isEqual($0, new.text) } ?? false }
      if start == nil, new.pending == nil, let conjunct, new.object == "t0.\(SQL.name(SQL.id))" {
        start = (new, conjunct)
      } else {
        text += new.join()
      }
      return new.alias
    }
  }

  /// From now on, ranks and to-one relationships of the statement's rows are joined.
  ///
  /// - Parameter conjuncts: The operands of the statement's condition.
  mutating func beginJoining(_ conjuncts: [Conjunct]) { joins = Joins(conjuncts) }

  /// Returns the alias of the joined ranks.
  mutating func joinedAlias(of ranks: RankJoin) throws(UnsupportedQueryError) -> String {
    guard var joins, joins.contains(ranks.object) else {
      throw UnsupportedQueryError("rank", "it can be sorted by and selected, but not in a condition or for members")
    }
    guard let alias = joins.alias(of: ranks, arguments, next: { nextAlias() }) else {
      throw UnsupportedQueryError("rank", "the query has too many ranks and related objects")
    }
    self.joins = joins
    return alias
  }

  mutating func joinedAlias(of object: SQLFragment, _ entity: Entity) -> String? {
    // A table with pending rows cannot be joined row by row.
    guard var joins, pending[entity] == nil else { return nil }
    let alias = joins.alias(of: object.sql, entity) { nextAlias() }
    self.joins = joins
    return alias
  }
}
