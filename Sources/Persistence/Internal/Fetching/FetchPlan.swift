/// The SQL of a request, and its statement for whole rows.
final class FetchPlan {
  /// How many parameters the texts have.
  let arguments: Int
  /// What stands between `SELECT …` and the end, with order and limit; and without order, for what has none.
  let ordered: String
  let unordered: String
  let all: Statement
  private let idsText: String
  private var idsStatement: Statement?
  @exclusivity(unchecked) var lastUse: UInt64 = 0
  /// Of the last result.
  @exclusivity(unchecked) var count = ObjectTable.RowCount()
  /// Holds the key paths whose addresses are in the shape.
  private let expression: Expression?
  private let sortPaths: [AnyKeyPath]

  init<Object: ManagedObject>(
    _ request: FetchRequest<Object>, _ entity: Entity, on connection: Connection
  ) throws(PersistenceError) {
    var generator = SQLGenerator(entity)
    do {
      let id = "t0.\(SQL.name(SQL.id))"
      var filter = ""
      if let condition = request.condition { filter = " WHERE " + (try generator.condition(condition).sql) }
      let order = try request.sort.map { (sort) throws(QueryRefusal) in try generator.order(by: sort) }
      let table = " FROM \(entity.table) AS t0"
      let sorted = table + filter + " ORDER BY " + (order + [id]).joined(separator: ",")
      if request.hasBounds {
        let bounds = " LIMIT \(generator.parameter()) OFFSET \(generator.parameter())"
        ordered = sorted + bounds
        unordered = "\(table) WHERE \(id) IN (SELECT \(id)\(ordered))"
      } else {
        ordered = sorted
        unordered = table + filter
      }
    } catch {
      throw .refused(error)
    }
    arguments = generator.parameters
    expression = request.condition
    sortPaths = request.sort.map(\.keyPath)
    do {
      all = try connection.prepare("SELECT \(entity.selection)" + ordered)
    } catch {
      guard case .database(let cause) = error, cause.isOfLimits else { throw error }
      throw .refused(QueryRefusal("the query as a whole", "SQLite takes none so large: \(cause.message)"))
    }
    idsText = "SELECT \(SQL.name(SQL.id)),\(SQL.name(SQL.version))" + ordered
  }

  var isBusy: Bool { all.isBusy || idsStatement?.isBusy == true }

  /// Ids and versions, for when most rows are in memory already.
  func ids(on connection: Connection) throws(PersistenceError) -> Statement {
    if let idsStatement { return idsStatement }
    let statement = try connection.prepare(idsText)
    idsStatement = statement
    return statement
  }

  /// Nearly all rows of the last result were in memory: asking for ids is cheaper then.
  var expectsKnownRows: Bool { count.rows > 64 && count.known * 10 > count.rows * 9 }
}
