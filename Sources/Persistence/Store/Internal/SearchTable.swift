/// The full-text index of a class: an FTS5 table with a column for each searchable attribute.
///
/// **Layout.** `_larder_Story_search` has the rows of `Story`, with the same ids. Its texts are folded as in
/// conditions, so that SQLite's own tokenizer finds what our comparisons find, and the schema refers to nothing
/// that another program lacks. It keeps its own copy of the folded texts. An index without a copy would need the exact
/// old text to delete a row, and folding may change with the version of Unicode: a row deleted with other words than
/// those inserted would corrupt such an index silently.
///
/// **Updates.** Temporary triggers of each connection that writes note the ids of changed rows in a temporary table.
/// So every way to write is covered: objects, bulk changes, imports and delete rules. Before a query and before the
/// commit, `Connection.updateSearchTables` gives these rows their new texts, within the same transaction. Triggers
/// that write to the index themselves are impossible: with an untrusted schema, SQLite refuses virtual tables in them.
/// They would also write a segment of the index for every statement. A rollback undoes the notes with the rows.
struct SearchTable: Sendable {
  /// The table of the class.
  let owner: String
  /// The searchable columns of the table, sorted by name.
  let columns: [String]
  let bareName: String

  /// The SQL function that returns the form of a text in the index, or NULL for anything but text. The schema in the
  /// file does not refer to it.
  static let function = "larder_searchable"

  /// Returns nil if there are no searchable columns.
  init?(of owner: String, _ columns: [String]) {
    if columns.isEmpty { return nil }
    self.owner = owner
    self.columns = columns
    // FTS5 appends to the name for its own tables. With the suffix, none of those can be the index of another class.
    bareName = "_larder_\(owner)_search"
  }

  /// The quoted name, which is also that of the column to match against all columns.
  var name: String { SQL.name(bareName) }

  private var table: String { SQL.name(owner) }

  private var list: String { columns.map(SQL.name).joined(separator: ",") }

  private func texts(of alias: String) -> String {
    columns.map { "\(SearchTable.function)(\(alias).\(SQL.name($0)))" }.joined(separator: ",")
  }

  // The whole index

  var removal: String { "DROP TABLE IF EXISTS \(name)" }

  /// Gives a corrupt index the empty tables with which FTS5 can open it, so that it can be removed.
  var repair: [String] {
    let (config, data) = (SQL.name(bareName + "_config"), SQL.name(bareName + "_data"))
    return [
      "CREATE TABLE IF NOT EXISTS \(config)(k PRIMARY KEY, v) WITHOUT ROWID",
      "INSERT OR REPLACE INTO \(config) VALUES('version',4)",
      "CREATE TABLE IF NOT EXISTS \(data)(id INTEGER PRIMARY KEY, block BLOB)",
      "INSERT OR REPLACE INTO \(data) VALUES(1,x''),(10,x'00000000000000')",
    ]
  }

  // The texts are folded already.
  var creation: String {
    "CREATE VIRTUAL TABLE \(name) USING fts5(\(list), tokenize='unicode61 remove_diacritics 0')"
  }

  /// Inserts all rows of the class into an empty index.
  var filling: String {
    "INSERT INTO \(name)(rowid,\(list)) SELECT o.\(SQL.name(SQL.id)),\(texts(of: "o")) FROM \(table) AS o"
  }

  /// SQL that counts the rows for which class and index differ.
  var differences: String {
    let id = SQL.name(SQL.id)
    // FTS5 stores the texts in this table.
    let content = SQL.name(bareName + "_content")
    let differs = columns.enumerated().map { index, column in
      "c.c\(index) IS NOT \(SearchTable.function)(o.\(SQL.name(column)))"
    }
    return "SELECT (SELECT count(*) FROM \(table) AS o LEFT JOIN \(content) AS c ON c.id=o.\(id) "
      + "WHERE c.id IS NULL OR \(differs.joined(separator: " OR ")))"
      + "+(SELECT count(*) FROM \(content) WHERE id NOT IN (SELECT \(id) FROM \(table)))"
  }

  /// Makes FTS5 compare the index with its copy of the texts. It fails if they differ.
  var selfCheck: String { "INSERT INTO \(name)(\(name)) VALUES('integrity-check')" }

  // Changed rows

  /// Creates the temporary table of changed rows, and the triggers that fill it.
  ///
  /// - Parameter notes: The name of the temporary table.
  func followStatements(_ notes: String) -> [String] {
    let trigger = "CREATE TEMP TRIGGER IF NOT EXISTS \(notes)"
    let id = SQL.name(SQL.id)
    let changed = columns.map { "old.\(SQL.name($0)) IS NOT new.\(SQL.name($0))" }.joined(separator: " OR ")
    // `INSERT OR IGNORE` would abort here, because the conflict clause of an upsert counts in its triggers, too.
    func note(_ row: String) -> String { "BEGIN INSERT INTO \(notes) VALUES(\(row).\(id)) ON CONFLICT DO NOTHING; END" }
    return [
      "CREATE TEMP TABLE IF NOT EXISTS \(notes)(id INTEGER PRIMARY KEY)",
      "\(trigger)_insert AFTER INSERT ON main.\(table) \(note("new"))",
      "\(trigger)_update AFTER UPDATE OF \(list) ON main.\(table) WHEN \(changed) \(note("new"))",
      "\(trigger)_delete AFTER DELETE ON main.\(table) \(note("old"))",
    ]
  }

  func updateStatements(_ notes: String) -> [String] {
    [
      "DELETE FROM \(name) WHERE rowid IN (SELECT id FROM temp.\(notes))",
      "INSERT INTO \(name)(rowid,\(list)) SELECT o.\(SQL.name(SQL.id)),\(texts(of: "o")) "
        + "FROM temp.\(notes) AS n CROSS JOIN \(table) AS o ON o.\(SQL.name(SQL.id))=n.id",
      "DELETE FROM temp.\(notes)",
    ]
  }
}
