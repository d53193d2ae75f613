/// `WHERE` of a request in several forms, all with the same meaning: one that begins with the class itself, and one for each
/// way to begin with related objects, see ``RelatedStart``.
///
/// Which one is quick depends on the values, of which SQLite's planner knows nothing: an author has ten stories, or half of
/// all. So it is counted, by indexes and not further than makes a difference.
struct FilterForms: Sendable {
  /// The first is that of the class itself.
  let texts: [String]
  /// How many rows there are that an index of the class itself finds, at most `few` and one.
  private let ownCount: String?
  /// The most rows worth beginning with, and how many there are, counted no further than that.
  private let relatedCounts: [String]

  /// With so few rows from an index of its own nothing else has to be thought of.
  private static let few = 64
  /// Where the own class may answer without reading all of its rows, because it has an index of use or a limit is set.
  private static let manyForSome = 1000
  /// Where it reads all: a part of them.
  private static let manyForAll = 250_000
  private static let maximumStarts = 4

  init(_ conjuncts: [Conjunct], of entity: Entity, isBounded: Bool) {
    let own = conjuncts.indexed(in: entity)
    let indexed = Set(own.joined())
    var texts = [FilterForms.text(conjuncts.map(\.sql))]
    var counts: [String] = []
    let id = SQL.name(SQL.id)
    let limit =
      isBounded || !own.isEmpty
      ? "\(FilterForms.manyForSome)"
      : "min(\(FilterForms.manyForAll),(SELECT ifnull(max(\(id)),0)/4+\(FilterForms.few) FROM \(entity.table)))"
    for (index, conjunct) in conjuncts.enumerated() {
      for start in conjunct.starts where counts.count < FilterForms.maximumStarts {
        let parts = conjuncts.enumerated().map { other, conjunct in
          // The sign makes no difference but that SQLite looks for no index.
          other == index ? start.sql : indexed.contains(other) ? "+(\(conjunct.sql))" : conjunct.sql
        }
        texts.append(FilterForms.text(parts))
        counts.append(start.count(in: entity, limit))
      }
    }
    self.texts = texts
    relatedCounts = counts
    let ownCounts = own.map { parts in
      let condition = SQLGenerator.joined(parts.map { conjuncts[$0].sql }, " AND ")
      return
        "(SELECT count(*) FROM (SELECT 1 FROM \(entity.table) AS t0 WHERE \(condition) LIMIT \(FilterForms.few + 1)))"
    }
    ownCount = ownCounts.first.map {
      ownCounts.count == 1 ? "SELECT \($0)" : "SELECT min(\(ownCounts.joined(separator: ",")))"
    }
  }

  private static func text(_ parts: [String]) -> String {
    parts.isEmpty ? "" : " WHERE " + SQLGenerator.joined(parts, " AND ")
  }

  /// The form that reads the fewest rows, as far as one can see.
  func best(
    for arguments: ContiguousArray<StoredValue>, on connection: Connection
  ) throws(PersistenceError) -> Int {
    if relatedCounts.isEmpty { return 0 }
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
    var best = (form: 0, rows: Int64.max)
    for (index, count) in relatedCounts.enumerated() {
      let statement = try connection.statement(count)
      try statement.bind(arguments)
      defer { statement.reset() }
      guard try statement.step() else { continue }
      let (limit, rows) = (statement.int64(0), statement.int64(1))
      if rows < min(limit, best.rows) { best = (index + 1, rows) }
    }
    return best.form
  }
}
