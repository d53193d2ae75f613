/// The SQL statement for a request, with SQLite's query plan for the statement.
public struct FetchExplanation: Sendable, Hashable {
  /// How the ``LiveResults`` of a request are updated after a commit that affects them.
  public enum LiveUpdates: Sendable, Hashable {
    /// The results are updated from the values in the commit, without a query.
    case fromCommits
    /// If only objects of the request's class have changed, the changed objects are read again. If related objects have
    /// changed, all rows are read again.
    case readingChangedRows
    /// All rows are read again.
    case readingAllRows
  }

  /// The statement, with numbered placeholders in place of values.
  public let sql: String
  /// The query plan that SQLite returns for `EXPLAIN QUERY PLAN`. Each element of the array is one step, such as
  /// `SEARCH t0 USING INDEX …` or `SCAN t0`.
  public let plan: [String]
  /// How the request's live results are updated. Regardless of this value, all rows are read again after a commit that
  /// changes many rows.
  public let liveUpdates: LiveUpdates
}

extension FetchExplanation: CustomStringConvertible {
  /// The SQL statement, followed by the query plan.
  public var description: String { ([sql] + plan.map { "  " + $0 }).joined(separator: "\n") }
}

extension ObjectSpace {
  /// Explains how SQLite executes a request, without fetching anything.
  public func explainSQL<Object: ManagedObject>(
    _ request: FetchDescriptor<Object>
  ) throws(PersistenceError) -> FetchExplanation {
    var sql = ""
    let liveUpdates = FetchExplanation.LiveUpdates(request, try registry(of: Object.self).entity)
    return try statement(for: request) {
      sql = $0.all.sql
      return "EXPLAIN QUERY PLAN " + sql
    } body: { (statement) throws(PersistenceError) in
      var plan: [String] = []
      while try statement.step() { plan.append(statement.text(3)) }
      return FetchExplanation(sql: sql, plan: plan, liveUpdates: liveUpdates)
    }
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
