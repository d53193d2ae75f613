public import Foundation

/// The SQL statement of a request, and SQLite's plan for it.
public struct FetchExplanation: Sendable, Hashable {
  /// How ``LiveResults`` of a request are updated after a commit of the container that affects them.
  public enum LiveUpdates: Sendable, Hashable {
    /// From the values in the commit, without a query.
    case fromCommits
    /// The changed objects of the class are read. If related objects have changed, all rows are read.
    case readingChangedRows
    /// All rows are read.
    case readingAllRows
  }

  /// The statement, with numbered placeholders in place of values.
  public let sql: String
  /// SQLite's plan, with one line for each step, as returned by `EXPLAIN QUERY PLAN`, for example
  /// `SEARCH t0 USING INDEX …` or `SCAN t0`.
  public let plan: [String]
  /// How live results of the request are updated. After a commit that changes many rows, all rows are always read.
  public let liveUpdates: LiveUpdates
}

extension FetchExplanation: CustomStringConvertible {
  /// The statement, followed by the plan.
  public var description: String { ([sql] + plan.map { "  " + $0 }).joined(separator: "\n") }
}

extension ObjectSpace {
  /// Explains how SQLite executes a request. Nothing is fetched.
  public func explainSQL<Object: ManagedObject>(
    _ request: FetchDescriptor<Object>
  ) throws(PersistenceError) -> FetchExplanation {
    var sql = ""
    let liveUpdates = FetchExplanation.LiveUpdates(request, try table(of: Object.self).entity)
    return try statement(for: request) {
      sql = $0.all.sql
      return "EXPLAIN QUERY PLAN " + sql
    } body: { (statement) throws(PersistenceError) in
      var plan: [String] = []
      while try statement.step() { plan.append(statement.text(3)) }
      return FetchExplanation(sql: sql, plan: plan, liveUpdates: liveUpdates)
    }
  }

  /// Explains how SQLite finds the objects of a class that match a condition. Nothing is fetched.
  public func explainSQL<Object: ManagedObject>(
    _ type: Object.Type, where condition: (Row<Object>) -> Query<Object>
  ) throws(PersistenceError) -> FetchExplanation {
    try explainSQL(FetchDescriptor(where: condition))
  }

  /// Explains how SQLite finds the objects of a class that match a query. Nothing is fetched.
  public func explainSQL<Object: ManagedObject>(
    _ type: Object.Type, matching query: Query<Object>
  ) throws(PersistenceError) -> FetchExplanation {
    try explainSQL(FetchDescriptor(matching: query))
  }

  /// Explains how SQLite finds the objects of a class that match a predicate. Nothing is fetched.
  public func explainSQL<Object: ManagedObject>(
    _ type: Object.Type, matching predicate: Predicate<Object>
  ) throws(PersistenceError) -> FetchExplanation {
    try explainSQL(FetchDescriptor(matching: predicate))
  }
}

extension FetchExplanation.LiveUpdates {
  init<Object: ManagedObject>(_ request: FetchDescriptor<Object>, _ entity: Entity) {
    var dependencies = QueryDependencies(request.condition, in: entity)
    for sort in request.sort { dependencies.add(sort.key, in: entity) }
    let mayAffectOthers = request.hasBounds || dependencies.others.contains(entity.index)
    self = mayAffectOthers ? .readingAllRows : dependencies.isLocal ? .fromCommits : .readingChangedRows
  }
}
