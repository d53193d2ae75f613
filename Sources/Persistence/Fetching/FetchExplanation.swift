public import Foundation

/// What a request becomes, and how SQLite answers it.
public struct FetchExplanation: Sendable, Hashable {
  /// The statement, with numbered marks in place of values.
  public let sql: String
  /// SQLite's plan, a line for each step, as `EXPLAIN QUERY PLAN` gives it: `SEARCH t0 USING INDEX …`, `SCAN t0`.
  public let plan: [String]
}

extension FetchExplanation: CustomStringConvertible {
  /// The statement, and the plan below it.
  public var description: String { ([sql] + plan.map { "  " + $0 }).joined(separator: "\n") }
}

extension ObjectSpace {
  /// What a request becomes, and how SQLite answers it. Nothing is fetched.
  public func explainSQL<Object: ManagedObject>(
    _ request: FetchRequest<Object>
  ) throws(PersistenceError) -> FetchExplanation {
    var sql = ""
    return try statement(for: request) {
      sql = $0.all.sql
      return "EXPLAIN QUERY PLAN " + sql
    } body: { (statement) throws(PersistenceError) in
      var plan: [String] = []
      while try statement.step() { plan.append(statement.text(3)) }
      return FetchExplanation(sql: sql, plan: plan)
    }
  }

  /// What a query becomes, and how SQLite answers it. Nothing is fetched.
  public func explainSQL<Object: ManagedObject>(_ query: Query<Object>) throws(PersistenceError) -> FetchExplanation {
    try explainSQL(FetchRequest(where: query))
  }

  /// What a predicate becomes, and how SQLite answers it. Nothing is fetched.
  public func explainSQL<Object: ManagedObject>(
    _ predicate: Predicate<Object>
  ) throws(PersistenceError) -> FetchExplanation {
    try explainSQL(FetchRequest(where: predicate))
  }
}
