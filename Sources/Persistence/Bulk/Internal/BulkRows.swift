/// The ids of the rows that a bulk operation affects, in a temporary table of the connection. The set stays fixed
/// during the operation.
struct BulkRows {
  private let registry: EntityRegistry
  private let name: String

  /// Creates an empty set.
  init(_ registry: EntityRegistry) throws(PersistenceError) {
    self.registry = registry
    name = "temp._larder_rows_\(registry.entity.index)"
    try registry.space.connection.execute(
      "CREATE TEMP TABLE IF NOT EXISTS _larder_rows_\(registry.entity.index)(id INTEGER PRIMARY KEY)")
    try clear()
  }

  /// Creates the set of rows that fulfill a condition.
  init<Object: ManagedObject>(_ registry: EntityRegistry, matching query: Query<Object>) throws(PersistenceError) {
    try self.init(registry)
    let name = name
    try registry.space.statement(for: FetchDescriptor(matching: query)) { (plan) in
      "INSERT INTO \(name) SELECT t0.\(SQL.name(SQL.id))" + plan.unordered
    } body: { (statement) throws(PersistenceError) in
      try statement.run()
    }
  }

  /// The objects in memory whose rows are in the set.
  func known() throws(PersistenceError) -> [ManagedObject] {
    var known: [ManagedObject] = []
    if registry.map.isEmpty { return known }
    try forEach { if let object = registry.map.object($0) { known.append(object) } }
    return known
  }

  func remove(_ objects: [ManagedObject]) throws(PersistenceError) {
    if objects.isEmpty { return }
    let statement = try registry.space.connection.statement(
      "DELETE FROM \(name) WHERE id IN (SELECT value FROM json_each(?1))")
    try statement.bind([.text(SQL.json(objects.map(\._id)))])
    try statement.run()
  }

  /// A subquery for use after `IN`.
  var selection: String { "(SELECT id FROM \(name))" }

  func addition(of query: String) -> String { "INSERT OR IGNORE INTO \(name) \(query)" }

  /// Adds the rows of a query that are not yet in the set. Returns how many were added.
  func add(_ query: String) throws(PersistenceError) -> Int {
    let statement = try registry.space.connection.statement(addition(of: query))
    try statement.run()
    return statement.changes
  }

  /// Adds the rows that relationships of the class with itself lead to, to any depth. Visits each row once. Returns how
  /// many were added.
  func addDescendants(by relationships: [Relationship]) throws(PersistenceError) -> Int {
    if relationships.isEmpty { return 0 }
    let (own, id) = (registry.entity.table, SQL.name(SQL.id))
    let steps = relationships.map { relationship in
      guard case .column(let slot) = relationship.storage else {
        return "SELECT o.\(relationship.memberColumn) FROM _larder_down AS d JOIN \(relationship.memberTable) AS o "
          + "ON o.\(relationship.ownerColumn)=d.id"
      }
      let column = registry.entity.columns[slot].quoted
      return "SELECT o.\(column) FROM _larder_down AS d JOIN \(own) AS o ON o.\(id)=d.id WHERE o.\(column) NOT NULL"
    }
    return try add(
      "WITH RECURSIVE _larder_down(id) AS (SELECT id FROM \(name) UNION \(steps.joined(separator: " UNION "))) SELECT id FROM _larder_down"
    )
  }

  func forEach(_ body: (Int64) -> Void) throws(PersistenceError) {
    let statement = try registry.space.connection.statement("SELECT id FROM \(name)")
    while try statement.step() { body(statement.int64(0)) }
  }

  func clear() throws(PersistenceError) { try registry.space.connection.execute("DELETE FROM \(name)") }
}
