public import Foundation

/// A request's SQL statement and SQLite's query plan for it.
public struct FetchExplanation: Sendable, Hashable {
  /// How a request's ``LiveResults`` are updated after one of the container's commits affects them.
  public enum LiveUpdates: Sendable, Hashable {
    /// The results are updated from the values in the commit, without a query.
    case fromCommits
    /// Only changed objects of the class are read, unless related objects have changed. In that case, all rows are
    /// read.
    case readingChangedRows
    /// All rows are read.
    case readingAllRows
  }

  /// The statement, with numbered placeholders in place of values.
  public let sql: String
  /// SQLite's query plan, as returned by `EXPLAIN QUERY PLAN`, with one line for each step, such as
  /// `SEARCH t0 USING INDEX …` or `SCAN t0`.
  public let plan: [String]
  /// How the request's live results are updated. After a commit that changes many rows, all rows are always read.
  public let liveUpdates: LiveUpdates
}

extension FetchExplanation: CustomStringConvertible {
  /// The statement, followed by the plan.
  public var description: String { ([sql] + plan.map { "  " + $0 }).joined(separator: "\n") }
}

extension ObjectSpace {
  /// Explains how SQLite executes a request, without fetching anything.
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

  /// Explains how SQLite finds the objects of a class that match a condition, without fetching anything.
  public func explainSQL<Object: ManagedObject>(
    _ type: Object.Type, where condition: (Row<Object>) -> Query<Object>
  ) throws(PersistenceError) -> FetchExplanation {
    try explainSQL(FetchDescriptor(where: condition))
  }

  /// Explains how SQLite finds the objects of a class that match a query, without fetching anything.
  public func explainSQL<Object: ManagedObject>(
    _ type: Object.Type, matching query: Query<Object>
  ) throws(PersistenceError) -> FetchExplanation {
    try explainSQL(FetchDescriptor(matching: query))
  }

  /// Explains how SQLite finds the objects of a class that match a predicate, without fetching anything.
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
