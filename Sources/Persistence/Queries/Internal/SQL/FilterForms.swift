/// `FROM` and `WHERE` of a request in several equivalent forms: one that tests each object for its related objects, and
/// one for each condition on related objects that begins with these, see ``RelatedKeys``.
///
/// Which form is the fastest depends on the values, which SQLite's planner does not know: an author may have ten
/// stories, or half of all stories. The related rows are therefore counted, only as far as the result matters.
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
  /// SQL that counts the rows that each of the other forms reads, or returns nil if these are too many.
  private let counts: [String]
  /// Whether the only other form is never slower: the class itself would be read as a whole, and each related row leads
  /// to rows of its own.
  private let prefersRelated: Bool

  /// If an index of the class finds at most this many rows, the other forms are not considered.
  private static let few = 64
  /// Fewer related rows than this are worth beginning with, whatever else there is.
  private static let many = "1000"

  init(_ conjuncts: [Conjunct], of entity: Entity, _ pending: PendingTable? = nil, isBounded: Bool) {
    self.entity = entity
    conditions = conjuncts.map(\.sql)
    let own = conjuncts.indexed(in: entity)
    let indexed = Set(own.joined())
    // The sign does not change the value, but keeps SQLite from using an index.
    let unindexed = conditions.enumerated().map { indexed.contains($0) ? "+(\($1))" : $1 }
    let related = conjuncts.indices.filter { conjuncts[$0].related != nil }.prefix(4)
    texts =
      [FilterForms.text(conditions, entity, pending)]
      + related.map { index in
        var parts = unindexed
        parts[index] = conjuncts[index].related?.sql ?? parts[index]
        return FilterForms.text(parts, entity)
      }
    let readsAll = own.isEmpty && !isBounded
    let size = "(SELECT max(\(FilterForms.many),min(ifnull(max(\(SQL.name(SQL.id))),0),100000)) FROM \(entity.table))"
    counts = related.compactMap { conjuncts[$0].related?.count(in: entity, below: readsAll ? size : FilterForms.many) }
    prefersRelated = readsAll && related.count == 1 && conjuncts[related[0]].related?.isToOne == true
    let ownCounts = own.map { parts in
      let condition = SQLGenerator.joined(parts.map { conjuncts[$0].sql }, " AND ")
      return
        "(SELECT count(*) FROM (SELECT 1 FROM \(entity.table) AS t0 WHERE \(condition) LIMIT \(FilterForms.few + 1)))"
    }
    ownCount = ownCounts.isEmpty ? nil : "SELECT min(\(ownCounts.joined(separator: ",")))"
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
    if prefersRelated { return 1 }
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
    var best = (form: 0, rows: Int64.max)
    for (index, count) in counts.enumerated() {
      let statement = try connection.statement(count)
      try statement.bind(arguments)
      defer { statement.reset() }
      if try statement.step(), case .integer(let rows) = statement.value(0), rows < best.rows {
        best = (index + 1, rows)
      }
    }
    return best.form
  }
}
