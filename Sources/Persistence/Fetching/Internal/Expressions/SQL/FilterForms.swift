/// `FROM` and `WHERE` of a request in several equivalent forms: one that starts with the class itself, and one for each
/// way to start with related objects, see ``RelatedStart``.
///
/// Which form is the fastest depends on the values, which SQLite's planner does not know: an author may have ten
/// stories, or half of all stories. The rows are therefore counted, through indexes and only as far as the result
/// matters.
struct FilterForms: Sendable {
  /// `FROM` and `WHERE` of a form. Further tables can be joined between them.
  struct Text: Sendable {
    let from: String
    let filter: String

    func joining(_ joins: String) -> String { from + joins + filter }
  }

  /// The first form is that of the class itself.
  let texts: [Text]
  private let entity: Entity
  /// The operands of the condition.
  private let conditions: [String]
  /// SQL that counts the rows that an index of the class itself finds, up to `few` plus one.
  private let ownCount: String?
  /// SQL that counts the rows that each of the other forms reads, up to `many`.
  private let counts: [String]
  /// If there is exactly one other form, SQL that tests whether it reads that many rows.
  private let reaches: String?
  /// For a form of the class that would read all rows: the limit, and the count up to it. Empty otherwise.
  private let largeCounts: [String]

  /// If an index of the class finds at most this many rows, the other forms are not considered.
  private static let few = 64
  /// Related rows up to this number are worth starting with if the class itself may not have to read all of its rows,
  /// because it has a useful index or there is a limit.
  private static let many: Int64 = 1000
  /// Otherwise, up to a quarter of the class's rows are worth reading, but at most this many.
  private static let most = 250_000
  private static let maximumStarts = 4

  init(_ conjuncts: [Conjunct], of entity: Entity, _ pending: PendingTable? = nil, isBounded: Bool) {
    let own = conjuncts.indexed(in: entity)
    let indexed = Set(own.joined())
    var texts = [FilterForms.text(conjuncts.map(\.sql), entity, pending)]
    var counts: [String] = []
    var reaches: String?
    var largeCounts: [String] = []
    let id = SQL.name(SQL.id)
    let limit = "min(\(FilterForms.most),(SELECT ifnull(max(\(id)),0)/4 FROM \(entity.table)))"
    for (index, conjunct) in conjuncts.enumerated() {
      for start in conjunct.starts where counts.count < FilterForms.maximumStarts {
        var others: [String] = []
        for (other, conjunct) in conjuncts.enumerated() where other != index {
          // The sign does not change the value, but keeps SQLite from using an index.
          others.append(indexed.contains(other) ? "+(\(conjunct.sql))" : conjunct.sql)
        }
        texts.append(start.text(for: entity, others))
        counts.append("SELECT \(start.count(in: entity, limit: "\(FilterForms.many)"))")
        reaches = counts.count == 1 ? start.reaches(FilterForms.many, in: entity) : nil
        if own.isEmpty && !isBounded {
          largeCounts.append("SELECT \(limit),\(start.count(in: entity, limit: limit))")
        }
      }
    }
    self.texts = texts
    self.entity = entity
    conditions = conjuncts.map(\.sql)
    self.counts = counts
    self.reaches = reaches
    self.largeCounts = largeCounts
    let ownCounts = own.map { parts in
      let condition = SQLGenerator.joined(parts.map { conjuncts[$0].sql }, " AND ")
      return
        "(SELECT count(*) FROM (SELECT 1 FROM \(entity.table) AS t0 WHERE \(condition) LIMIT \(FilterForms.few + 1)))"
    }
    ownCount = ownCounts.first.map {
      ownCounts.count == 1 ? "SELECT \($0)" : "SELECT min(\(ownCounts.joined(separator: ",")))"
    }
  }

  private static func text(_ parts: [String], _ entity: Entity, _ pending: PendingTable? = nil) -> Text {
    guard let pending else { return Text(from: " FROM \(entity.table) AS t0", filter: filter(parts)) }
    return Text(from: " FROM " + pending.source(as: "t0", where: condition(parts)), filter: "")
  }

  private static func condition(_ parts: [String]) -> String {
    parts.isEmpty ? "1" : SQLGenerator.joined(parts, " AND ")
  }

  /// The condition as a whole.
  var condition: String { FilterForms.condition(conditions) }

  private static func filter(_ parts: [String]) -> String {
    parts.isEmpty ? "" : " WHERE " + SQLGenerator.joined(parts, " AND ")
  }

  /// The rows in a form, with the joins of an order or of further values.
  func rows(_ form: Int, _ joins: SQLGenerator.Joins?) -> String {
    guard let start = joins?.start else { return texts[form].joining(joins?.text ?? "") }
    return rows(from: start, joins, " LIMIT -1")
  }

  /// Those rows that also fulfill another condition, with all joins.
  func rows(_ joins: SQLGenerator.Joins?, where condition: String) -> String {
    FilterForms.text(conditions + [condition], entity).joining(joins?.all ?? "")
  }

  /// The rows in a form, in their order and within their bounds.
  func rows(
    _ form: Int, _ joins: SQLGenerator.Joins?, by order: [(key: String, term: String)], bounds: String
  ) -> String {
    let id = "t0.\(SQL.name(SQL.id))"
    let terms = " ORDER BY " + (order.map(\.term) + [id]).joined(separator: ",")
    guard let start = joins?.start, !bounds.isEmpty, conditions.count == 1, order.count == 1,
      order[0].key == "\(start.ranks.alias).rank"
    else { return rows(form, joins) + terms + bounds }
    // Only the objects within the bounds are read. The last two columns of the order are those of the subquery.
    let inner = "2\(order[0].term.dropFirst(order[0].key.count)),1"
    return rows(from: start, joins, " ORDER BY \(inner)\(bounds)") + terms
  }

  private func rows(
    from start: (ranks: RankJoin, conjunct: Int), _ joins: SQLGenerator.Joins?, _ end: String
  ) -> String {
    var others = conditions
    others.remove(at: start.conjunct)
    return start.ranks.from(entity.table, end) + (joins?.text ?? "") + FilterForms.filter(others)
  }

  /// The form that is expected to read the fewest rows.
  func best(
    for arguments: ContiguousArray<StoredValue>, on connection: Connection
  ) throws(PersistenceError) -> Int {
    if counts.isEmpty { return 0 }
    do {
      return try fewest(for: arguments, on: connection)
    } catch {
      // Counting needs a few more levels than the query itself.
      guard case .database(let cause) = error, cause.isOfLimits else { throw error }
      return 0
    }
  }

  private func fewest(
    for arguments: ContiguousArray<StoredValue>, on connection: Connection
  ) throws(PersistenceError) -> Int {
    if let ownCount {
      let statement = try connection.statement(ownCount)
      try statement.bind(arguments)
      if try statement.integer() ?? 0 <= FilterForms.few { return 0 }
    }
    if let reaches {
      let statement = try connection.statement(reaches)
      try statement.bind(arguments)
      if try statement.integer() == nil { return 1 }
    } else {
      var best = (form: 0, rows: FilterForms.many)
      for (index, count) in counts.enumerated() {
        let statement = try connection.statement(count)
        try statement.bind(arguments)
        if let rows = try statement.integer(), rows < best.rows { best = (index + 1, rows) }
      }
      if best.form > 0 { return best.form }
    }
    var best = (form: 0, rows: Int64.max)
    for (index, count) in largeCounts.enumerated() {
      let statement = try connection.statement(count)
      try statement.bind(arguments)
      defer { statement.reset() }
      guard try statement.step() else { continue }
      let (limit, rows) = (statement.int64(0), statement.int64(1))
      if rows < limit, rows < best.rows { best = (index + 1, rows) }
    }
    return best.form
  }
}
