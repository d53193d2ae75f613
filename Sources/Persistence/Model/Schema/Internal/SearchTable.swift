/// The full-text index of a class: an FTS5 table with a column for each searchable attribute.
///
/// **Layout.** `_larder_Story_search` has the rows of `Story`, with the same ids. Its texts are folded as in
/// conditions, so that SQLite's own tokenizer finds what our comparisons find, and the schema refers to nothing
/// that another program lacks. It keeps its own copy of the folded texts. An index without a copy would need the exact
/// old text to delete a row, and folding may change with the version of Unicode: a row deleted with other words than
/// those inserted would corrupt such an index silently.
///
/// **Updates.** Triggers note the ids of changed rows in a table next to the index. Before a commit,
/// `Connection.indexTexts` gives these rows their new texts, within the same transaction. A rollback undoes the notes
/// with the rows. So every way to write is covered: objects, bulk changes, imports and delete rules. A search outside
/// `persist` finds changed rows among the pending ones, see ``PendingTable``.
///
/// **Other writers.** The triggers are in the file, and not temporary ones of each connection, because other programs
/// and releases of the app without the index then leave notes, too, and the next commit indexes their texts. They use
/// only SQL that any SQLite has, because they run in those programs. For a commit they cost one more page in the log,
/// next to about ten of the index. Triggers that write to the index itself are impossible: with an untrusted schema,
/// SQLite refuses virtual tables in them. They would also write a segment of the index for every statement.
struct SearchTable: Sendable {
  /// The table of the class.
  let owner: String
  /// The searchable columns of the table, sorted by name.
  let columns: [String]
  /// SQL that returns a row if there are changed rows. Every search runs it.
  let firstNote: String
  let bareName: String
  /// Whether it is the index of a temporary table.
  private let isTemporary: Bool

  /// Returns nil if there are no searchable columns.
  init?(of owner: String, _ columns: [String], isTemporary: Bool = false) {
    if columns.isEmpty { return nil }
    self.isTemporary = isTemporary
    self.owner = owner
    self.columns = columns
    // FTS5 appends to the name for its own tables. With the suffix, none of those can be the index of another class.
    bareName = "_larder_\(owner)_search"
    firstNote = "SELECT 1 FROM \(SQL.name(bareName + "_changed")) LIMIT 1"
  }

  /// The quoted name, which is also that of the column to match against all columns.
  var name: String { SQL.name(bareName) }

  private var table: String { SQL.name(owner) }

  private var list: String { columns.map(SQL.name).joined(separator: ",") }

  private func texts(of alias: String) -> String {
    columns.map { "\(TextFunction.searchable)(\(alias).\(SQL.name($0)))" }.joined(separator: ",")
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
    "CREATE VIRTUAL TABLE \(isTemporary ? "IF NOT EXISTS temp." : "")\(name) USING fts5(\(list), tokenize='unicode61 remove_diacritics 0')"
  }

  /// Inserts all rows of the class into an empty index.
  var filling: String {
    "INSERT INTO \(name)(rowid,\(list)) SELECT o.\(SQL.name(SQL.id)),\(texts(of: "o")) FROM \(table) AS o"
  }

  /// SQL that counts the rows for which class and index differ, apart from those that the next search indexes.
  var differences: String {
    let id = SQL.name(SQL.id)
    // FTS5 stores the texts in this table.
    let content = SQL.name(bareName + "_content")
    let differs = columns.enumerated().map { index, column in
      "c.c\(index) IS NOT \(TextFunction.searchable)(o.\(SQL.name(column)))"
    }
    let changed = "(SELECT id FROM \(notes))"
    return "SELECT (SELECT count(*) FROM \(table) AS o LEFT JOIN \(content) AS c ON c.id=o.\(id) "
      + "WHERE (c.id IS NULL OR \(differs.joined(separator: " OR "))) AND o.\(id) NOT IN \(changed))"
      + "+(SELECT count(*) FROM \(content) WHERE id NOT IN (SELECT \(id) FROM \(table)) AND id NOT IN \(changed))"
  }

  /// Makes FTS5 compare the index with its copy of the texts. It fails if they differ.
  var selfCheck: String { "INSERT INTO \(name)(\(name)) VALUES('integrity-check')" }

  /// Makes FTS5 merge the parts of the index, which removes the words of deleted texts.
  var optimization: String { "INSERT INTO \(name)(\(name)) VALUES('optimize')" }

  // Changed rows

  var notes: String { SQL.name(bareName + "_changed") }

  /// What FTS5 appends to the name of an index for its own tables.
  static let parts = ["config", "content", "data", "docsize", "idx"]

  private static let events = ["insert", "update", "delete"]

  private func trigger(_ event: String) -> String { SQL.name("\(bareName)_on_\(event)") }

  /// Creates the table of changed rows, and the triggers that fill it.
  var creationOfNotes: [String] {
    let id = SQL.name(SQL.id)
    let changed = columns.map { "old.\(SQL.name($0)) IS NOT new.\(SQL.name($0))" }.joined(separator: " OR ")
    // `INSERT OR IGNORE` would abort here, because the conflict clause of an upsert counts in its triggers, too.
    func note(_ row: String) -> String { "BEGIN INSERT INTO \(notes) VALUES(\(row).\(id)) ON CONFLICT DO NOTHING; END" }
    let schema = isTemporary ? "IF NOT EXISTS temp." : ""
    let create = "CREATE TRIGGER \(schema)"
    return [
      "CREATE TABLE \(schema)\(notes)(id INTEGER PRIMARY KEY)",
      "\(create)\(trigger("insert")) AFTER INSERT ON \(table) \(note("new"))",
      "\(create)\(trigger("update")) AFTER UPDATE OF \(list) ON \(table) WHEN \(changed) \(note("new"))",
      "\(create)\(trigger("delete")) AFTER DELETE ON \(table) \(note("old"))",
    ]
  }

  var removalOfNotes: [String] {
    SearchTable.events.map { "DROP TRIGGER IF EXISTS \(trigger($0))" } + ["DROP TABLE IF EXISTS \(notes)"]
  }

  /// SQL that counts the missing triggers.
  var missingTriggers: String {
    let names = SearchTable.events.map { SQL.string("\(bareName)_on_\($0)") }
    return "SELECT \(names.count)-count(*) FROM sqlite_master "
      + "WHERE type='trigger' AND name IN (\(names.joined(separator: ",")))"
  }

  /// Indexes the changed rows.
  var update: [String] {
    [
      "DELETE FROM \(name) WHERE rowid IN (SELECT id FROM \(notes))",
      "INSERT INTO \(name)(rowid,\(list)) SELECT o.\(SQL.name(SQL.id)),\(texts(of: "o")) "
        + "FROM \(notes) AS n CROSS JOIN \(table) AS o ON o.\(SQL.name(SQL.id))=n.id",
      "DELETE FROM \(notes)",
    ]
  }

  // SQL of the app

  /// Whether a table is a part of an index.
  static func isPart(_ table: String) -> Bool {
    let table = table.lowercased()
    return table.hasPrefix("_larder_") && table.contains("_search")
  }
}

extension Entity {
  /// The full-text index, or nil if the class has no searchable attribute.
  var searchTable: SearchTable? { SearchTable(of: name, searchSlots.map { columns[$0].name }) }
}

extension StoredTable {
  /// The full-text index, or nil if there is none.
  var searchTable: SearchTable? { SearchTable(of: name, search) }
}
