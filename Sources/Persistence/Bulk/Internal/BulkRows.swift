/// The ids of the rows that a bulk operation affects, in a temporary table of the connection. The set stays fixed
/// during the operation.
struct BulkRows {
  private let table: EntityRegistry
  private let name: String

  /// Creates an empty set.
  init(_ table: EntityRegistry) throws(PersistenceError) {
    self.table = table
    name = "temp._larder_rows_\(table.entity.index)"
    try table.space.connection.execute(
      "CREATE TEMP TABLE IF NOT EXISTS _larder_rows_\(table.entity.index)(id INTEGER PRIMARY KEY)")
    try clear()
  }

  /// Creates the set of rows that fulfill a condition, except for `known`.
  init<Object: ManagedObject>(
    _ table: EntityRegistry, matching query: Query<Object>, besides known: [Int64]
  ) throws(PersistenceError) {
    try self.init(table)
    let name = name
    try table.space.statement(for: FetchDescriptor(matching: query)) { (plan) in
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

  /// A subquery for use after `IN`.
  var selection: String { "(SELECT id FROM \(name))" }

  /// Adds the rows of a query that are not yet in the set. Returns how many were added.
  func add(_ query: String) throws(PersistenceError) -> Int {
    let statement = try table.space.connection.statement("INSERT OR IGNORE INTO \(name) \(query)")
    try statement.run()
    return statement.changes
  }

  /// Adds the rows that relationships of the class with itself lead to, to any depth. Visits each row once. Returns how
  /// many were added.
  func addDescendants(by relationships: [Relationship]) throws(PersistenceError) -> Int {
    if relationships.isEmpty { return 0 }
    let (own, id) = (table.entity.table, SQL.name(SQL.id))
    let steps = relationships.map { relationship in
      switch relationship.storage {
      case .column(let slot):
        let column = table.entity.columns[slot].quoted
        return "SELECT o.\(column) FROM _larder_down AS d JOIN \(own) AS o ON o.\(id)=d.id WHERE o.\(column) NOT NULL"
      case .inverseColumn(let slot):
        return "SELECT o.\(id) FROM _larder_down AS d JOIN \(own) AS o ON o.\(table.entity.columns[slot].quoted)=d.id"
      case .join(let join, let from, let to):
        return
          "SELECT o.\(SQL.name(to)) FROM _larder_down AS d JOIN \(SQL.name(join.name)) AS o ON o.\(SQL.name(from))=d.id"
      }
    }
    return try add(
      "WITH RECURSIVE _larder_down(id) AS (SELECT id FROM \(name) UNION \(steps.joined(separator: " UNION "))) SELECT id FROM _larder_down"
    )
  }

  func forEach(_ body: (Int64) -> Void) throws(PersistenceError) {
    let statement = try table.space.connection.statement("SELECT id FROM \(name)")
    while try statement.step() { body(statement.int64(0)) }
  }

  func clear() throws(PersistenceError) { try table.space.connection.execute("DELETE FROM \(name)") }
}
