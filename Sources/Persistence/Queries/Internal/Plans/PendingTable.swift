/// The changes of one table that are not saved: the rows as they would be written, and the keys of the stored rows that
/// these replace or that are deleted. Both are temporary tables of one connection.
///
/// A query that depends on the table reads the stored rows that are not hidden, and the pending rows. It states its
/// condition for both parts, so that each of them can use its indexes, and so that SQLite can merge the two in the
/// query's order. Neither part needs more than a read lock.
final class PendingTable: Sendable {
  let stored: StoredTable
  /// The quoted name of the pending rows.
  let rows: String
  /// The quoted name of the keys of the hidden rows.
  let hidden: String
  /// The columns of the key and of all columns, separated by commas.
  let key: String
  let columns: String
  /// The full-text index of the pending rows.
  let search: SearchTable?

  init(_ table: StoredTable) {
    let name = "_larder_pending_" + table.name
    let own = table.isJoin ? [] : [SQL.id, SQL.version]
    stored = table
    rows = SQL.name(name)
    hidden = SQL.name("_larder_hidden_" + table.name)
    key = table.isJoin ? table.columns.prefix(2).map { SQL.name($0.name) }.joined(separator: ",") : SQL.name(SQL.id)
    columns = (own + table.columns.map(\.name)).map(SQL.name).joined(separator: ",")
    search = SearchTable(of: name, table.search, isTemporary: true)
  }

  /// The table of the stored rows.
  var main: String { "main." + SQL.name(stored.name) }

  /// The stored rows and the pending ones that fulfill a condition, for a FROM clause.
  func source(as alias: String, where condition: String) -> String {
    "(SELECT \(columns) FROM \(main) AS \(alias) WHERE \(isShown(alias)) AND \(condition) "
      + "UNION ALL SELECT \(columns) FROM \(rows) AS \(alias) WHERE \(condition)) AS \(alias)"
  }

  /// A view with the table's own name, for SQL that the app writes.
  var view: String {
    "CREATE TEMP VIEW IF NOT EXISTS \(SQL.name(stored.name)) AS SELECT \(columns) FROM \(main) AS stored "
      + "WHERE \(isShown("stored")) UNION ALL SELECT \(columns) FROM \(rows)"
  }

  var removalOfView: String { "DROP VIEW IF EXISTS temp.\(SQL.name(stored.name))" }

  /// The full-text index of the pending rows, and the condition for rows that only the stored index has.
  var searched: (table: String, others: String)? {
    search.map { ($0.name, " AND rowid NOT IN (SELECT \(key) FROM \(hidden))") }
  }

  /// Whether a stored row is neither replaced nor deleted.
  func isShown(_ alias: String) -> String {
    guard stored.isJoin else { return "\(alias).\(key) NOT IN (SELECT \(key) FROM \(hidden))" }
    let isSame = stored.columns.prefix(2).map { "hidden.\(SQL.name($0.name))=\(alias).\(SQL.name($0.name))" }
    return "NOT EXISTS (SELECT 1 FROM \(hidden) AS hidden WHERE \(isSame.joined(separator: " AND ")))"
  }

  /// Creates the tables, if they do not exist, and empties them. There are no constraints: what cannot be stored is
  /// reported when it is saved.
  var creation: [String] {
    let columns = stored.columns.map { "\(SQL.name($0.name)) \($0.type)" }
    let own = stored.isJoin ? [] : ["\(SQL.name(SQL.id)) INTEGER PRIMARY KEY", "\(SQL.name(SQL.version)) INTEGER"]
    let primary = stored.isJoin ? ["PRIMARY KEY(\(key))"] : []
    let kind = stored.isJoin ? " WITHOUT ROWID" : ""
    let keys = stored.isJoin ? columns.prefix(2) + primary : ["\(key) INTEGER PRIMARY KEY"]
    let indexes = stored.indexes.map { index in
      let columns = index.columns.map(SQL.name).joined(separator: ",")
      let condition = index.where.map { " WHERE \($0)" } ?? ""
      return "CREATE INDEX IF NOT EXISTS temp.\(SQL.name("pending " + index.name)) ON \(rows)(\(columns))\(condition)"
    }
    return [
      "CREATE TEMP TABLE IF NOT EXISTS \(rows)(\((own + columns + primary).joined(separator: ",")))\(kind)",
      "CREATE TEMP TABLE IF NOT EXISTS \(hidden)(\(keys.joined(separator: ",")))\(kind)",
    ] + indexes + (search.map { [$0.creation] + $0.creationOfNotes } ?? []) + removal
  }

  /// Empties the tables.
  var removal: [String] { ["DELETE FROM \(rows)", "DELETE FROM \(hidden)"] }

  /// Makes the stored rows that fulfill a condition on `stored` pending without a change.
  func adoption(where condition: String) -> [String] {
    [
      "INSERT OR IGNORE INTO \(rows)(\(columns)) SELECT \(columns) FROM \(main) AS stored "
        + "WHERE \(condition) AND \(isShown("stored"))",
      "INSERT OR IGNORE INTO \(hidden) SELECT \(key) FROM \(main) AS stored WHERE \(condition)",
    ]
  }

  /// Makes the stored rows pending whose texts are not in the full-text index yet, because another program wrote them.
  var adoptionOfTexts: [String] {
    guard let search = stored.searchTable else { return [] }
    let notes = "(SELECT id FROM main.\(search.notes))"
    // The index may still have the texts of rows that are deleted.
    return adoption(where: "stored.\(key) IN \(notes)") + ["INSERT OR IGNORE INTO \(hidden) SELECT id FROM \(notes)"]
  }
}

/// The tables with pending changes, among those that a query depends on.
struct PendingTables: Hashable, Sendable {
  private var classes: [Int: PendingTable] = [:]
  private var joins: [Int: PendingTable] = [:]

  var isEmpty: Bool { classes.isEmpty && joins.isEmpty }

  subscript(entity: Entity) -> PendingTable? {
    get { classes[entity.index] }
    set { classes[entity.index] = newValue }
  }

  subscript(join: JoinTable) -> PendingTable? {
    get { joins[join.index] }
    set { joins[join.index] = newValue }
  }

  /// The table that stores the membership of a relationship.
  subscript(members relationship: Relationship) -> PendingTable? {
    if case .join(let join, _, _) = relationship.storage { return self[join] }
    return self[relationship.target]
  }

  var all: [PendingTable] { Array(classes.values) + joins.values }

  /// Those tables on which the rows of a class depend.
  func among(_ dependencies: QueryDependencies, of entity: Entity) -> PendingTables {
    guard !isEmpty else { return self }
    var result = self
    result.classes = classes.filter { $0.key == entity.index || dependencies.dependsOn(class: $0.key) }
    result.joins = joins.filter { dependencies.joins.contains($0.key) }
    return result
  }

  /// Those tables whose names a statement contains.
  func named(_ names: Set<String>) -> [PendingTable] {
    let names = Set(names.map { $0.lowercased() })
    return all.filter { names.contains($0.stored.name.lowercased()) }
  }

  static func == (left: PendingTables, right: PendingTables) -> Bool {
    left.classes.keys == right.classes.keys && left.joins.keys == right.joins.keys
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(Set(classes.keys))
    hasher.combine(Set(joins.keys))
  }
}
