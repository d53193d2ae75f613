/// Prepared fetches of a space by their shape, at most `capacity` of them; the one that was not used for longest goes first.
struct FetchPlans {
  struct Key: Hashable {
    let entity: Int
    /// What follows `FROM … AS t0`.
    let rest: String
  }

  private let capacity: Int
  private var plans: [Key: FetchPlan] = [:]
  private var takes: UInt64 = 0

  init(capacity: Int) { self.capacity = max(1, capacity) }

  var count: Int { plans.count }

  mutating func plan(
    _ key: Key, _ make: () throws(PersistenceError) -> FetchPlan
  ) throws(PersistenceError) -> FetchPlan {
    takes &+= 1
    if let known = plans[key], !known.all.isBusy {
      known.lastUse = takes
      return known
    }
    let plan = try make()
    plan.lastUse = takes
    if plans.count >= capacity, let oldest = plans.min(by: { $0.value.lastUse < $1.value.lastUse }) {
      plans[oldest.key] = nil
    }
    plans[key] = plan
    return plan
  }
}

/// A fetch of one shape: the statement for whole rows, and the one for ids, for when most rows are in memory already.
final class FetchPlan {
  let all: Statement
  private let idsText: String
  private var idsStatement: Statement?
  @exclusivity(unchecked) var lastUse: UInt64 = 0
  /// Of the last result.
  @exclusivity(unchecked) var count = ObjectTable.RowCount()

  init(_ entity: Entity, rest: String, on connection: Connection) throws(PersistenceError) {
    let from = " FROM \(entity.table) AS t0 " + rest
    all = try Statement("SELECT \(entity.selection)" + from, on: connection.handle)
    idsText = "SELECT \(SQL.name(SQL.id)),\(SQL.name(SQL.version))" + from
  }

  func ids(on connection: Connection) throws(PersistenceError) -> Statement {
    if let idsStatement { return idsStatement }
    let statement = try Statement(idsText, on: connection.handle)
    idsStatement = statement
    return statement
  }

  /// Nearly all rows of the last result were in memory: asking for ids is cheaper then.
  var expectsKnownRows: Bool { count.rows > 64 && count.known * 10 > count.rows * 9 }
}
