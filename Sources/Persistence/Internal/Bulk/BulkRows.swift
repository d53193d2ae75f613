/// The ids of rows that bulk work concerns, in a temporary table of the connection: they do not change while it goes on.
struct BulkRows {
  private let table: ObjectTable
  private let name: String

  /// No rows at first.
  init(_ table: ObjectTable) throws(PersistenceError) {
    self.table = table
    name = "temp._larder_rows_\(table.entity.index)"
    try table.space.connection.execute(
      "CREATE TEMP TABLE IF NOT EXISTS _larder_rows_\(table.entity.index)(id INTEGER PRIMARY KEY)")
    try clear()
  }

  /// The rows that fulfil a condition.
  init<Object: ManagedObject>(
    _ table: ObjectTable, matching query: Query<Object>, besides known: [Int64]
  ) throws(PersistenceError) {
    try self.init(table)
    let name = name
    try table.space.statement(for: FetchRequest(where: query)) { (plan) in
      "INSERT INTO \(name) SELECT t0.\(SQL.name(SQL.id))" + plan.unordered
    } body: { (statement) throws(PersistenceError) in
      try statement.run()
    }
    if known.isEmpty { return }
    let statement = try table.space.connection.statement(
      "DELETE FROM \(name) WHERE id IN (SELECT value FROM json_each(?1))")
    try statement.bind([.text(SQL.json(known))])
    try statement.run()
  }

  /// For use behind `IN`.
  var selection: String { "(SELECT id FROM \(name))" }

  /// Adds the rows of a query that are not among them; says how many there were.
  func add(_ query: String) throws(PersistenceError) -> Int {
    let statement = try table.space.connection.statement("INSERT OR IGNORE INTO \(name) \(query)")
    try statement.run()
    return statement.changes
  }

  func forEach(_ body: (Int64) -> Void) throws(PersistenceError) {
    let statement = try table.space.connection.statement("SELECT id FROM \(name)")
    while try statement.step() { body(statement.int64(0)) }
  }

  func clear() throws(PersistenceError) { try table.space.connection.execute("DELETE FROM \(name)") }
}
