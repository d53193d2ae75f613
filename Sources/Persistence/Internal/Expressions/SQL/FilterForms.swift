/// `FROM` and `WHERE` of a request in several forms, all with the same meaning: one that begins with the class itself,
/// and one for each way to begin with related objects, see ``RelatedStart``.
///
/// Which one is quick depends on the values, of which SQLite's planner knows nothing: an author has ten stories, or
/// half of all. So it is counted, by indexes and not further than makes a difference.
struct FilterForms: Sendable {
  /// The first is that of the class itself.
  let texts: [String]
  /// Whether the condition, which may be none, is part of the first text.
  let hasFilter: Bool
  /// How many rows an index of the class itself finds, counted to `few` and one.
  private let ownCount: String?
  /// How many rows each of the other forms reads, counted to `many`.
  private let counts: [String]
  /// Where there is one other form, whether it reads so many.
  private let reaches: String?
  /// The limit where all rows of the class would be read, and the same counted to that; none where they would not.
  private let largeCounts: [String]

  /// With so few rows from an index of its own nothing else has to be thought of.
  private static let few = 64
  /// So many are worth beginning with, where the class itself may not have to read all of its rows: because it has an
  /// index of use, or a limit is set.
  private static let many: Int64 = 1000
  /// Where it has to, a part of them is.
  private static let most = 250_000
  private static let maximumStarts = 4

  init(_ conjuncts: [Conjunct], of entity: Entity, isBounded: Bool) {
    let own = conjuncts.indexed(in: entity)
    let indexed = Set(own.joined())
    var texts = [FilterForms.text(conjuncts.map(\.sql), entity)]
    var counts: [String] = []
    var reaches: String?
    var largeCounts: [String] = []
    let id = SQL.name(SQL.id)
    let limit = "min(\(FilterForms.most),(SELECT ifnull(max(\(id)),0)/4 FROM \(entity.table)))"
    for (index, conjunct) in conjuncts.enumerated() {
      for start in conjunct.starts where counts.count < FilterForms.maximumStarts {
        var others: [String] = []
        for (other, conjunct) in conjuncts.enumerated() where other != index {
          // The sign makes no difference but that SQLite looks for no index.
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
    hasFilter = !conjuncts.isEmpty
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

  private static func text(_ parts: [String], _ entity: Entity) -> String {
    " FROM \(entity.table) AS t0" + (parts.isEmpty ? "" : " WHERE " + SQLGenerator.joined(parts, " AND "))
  }

  /// The form that reads the fewest rows, as far as one can see.
  func best(
    for arguments: ContiguousArray<StoredValue>, on connection: Connection
  ) throws(PersistenceError) -> Int {
    if counts.isEmpty { return 0 }
    do {
      return try fewest(for: arguments, on: connection)
    } catch {
      // To count takes a few levels more than the query itself.
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
