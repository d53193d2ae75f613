/// What the rows of a class were before their first change that has not been sent: their *base*.
///
/// **Layout.** `_larder_base_Movie` has a record for each changed row of `Movie`, with the same id. Its columns have no
/// types, so that SQLite converts no value, and refer to nothing.
///
/// | `_kind` | the other columns |
/// |---|---|
/// | 0 | the values before the first change |
/// | 1 | nothing: the row was inserted here |
/// | 2 | values that say which row it is. Its base is unknown: it was there before, or written without triggers |
///
/// **Triggers** in the file add the records, whoever writes: objects, bulk changes, imports, delete rules, and other
/// programs. They therefore use only SQL that any SQLite has. A record that is there stays as it is. While the table
/// `_larder_applying` has a row, nothing is recorded: what is written then was not changed here. The row is deleted in
/// the transaction that inserts it, so that a rollback also ends the exception.
///
/// They do not see a row that a `REPLACE` of another program removes, nor an `_id` that another program changes.
struct BaseTable: Hashable, Sendable {
  /// The table of the class.
  let owner: String
  /// The tracked columns of the table and the names of its lists, sorted: the order of the declarations makes no
  /// difference.
  let columns: [String]
  let lists: [BaseList]

  /// - Parameter lists: Relationships of the class. Those that are not among the columns are left out.
  init(of owner: String, _ columns: [String], _ lists: [BaseList] = []) {
    self.owner = owner
    self.columns = columns.sorted()
    self.lists = lists.filter { columns.contains($0.name) }.sorted { $0.name < $1.name }
  }

  static let ownColumns = [SQL.id, "_kind", "_since"]
  private static let prefix = "_larder_base_"
  private static let now = "CAST(strftime('%s','now') AS INTEGER)"

  var bareName: String { Self.prefix + owner }
  var name: String { SQL.name(bareName) }

  private var table: String { SQL.name(owner) }

  // What the file contains

  /// The statements that create what all tracked classes share, by type and name.
  static let shared = [
    "table _larder_applying": "CREATE TABLE _larder_applying(id INTEGER PRIMARY KEY)",
    "table _larder_tie": "CREATE TABLE _larder_tie(\"commit\" INTEGER NOT NULL,class TEXT NOT NULL,id INTEGER NOT NULL,"
      + "PRIMARY KEY(\"commit\",class,id)) WITHOUT ROWID",
  ]
  static let beginApplying = "INSERT INTO _larder_applying VALUES(1)"
  static let endApplying = "DELETE FROM _larder_applying"

  /// SQL that returns what the file has of all this: type and name, and the statements that create it.
  static let parts = "SELECT type||' '||name,sql FROM sqlite_master WHERE substr(name,1,8)='_larder_'"

  /// The statements that create the table and its triggers, by type and name.
  var parts: [String: String] { triggers.merging(["table \(bareName)": creation]) { first, _ in first } }

  var creation: String {
    let columns = ["_id INTEGER PRIMARY KEY", "_kind INTEGER NOT NULL", "_since INTEGER NOT NULL"]
    return "CREATE TABLE \(name)(\((columns + self.columns.map(SQL.name)).joined(separator: ",")))"
  }

  var triggers: [String: String] {
    let list = plainColumns.map(SQL.name)
    let changed = list.map { "OLD.\($0) IS NOT NEW.\($0)" }.joined(separator: " OR ")
    let old = values(of: "OLD.", "OLD._id")
    let new = "NEW._id,1,\(Self.now)" + columns.map { _ in ",NULL" }.joined()
    var result = [trigger("insert", "", "", new), trigger("delete", "", "", old)]
    if !list.isEmpty {
      result.append(trigger("update", " OF " + list.joined(separator: ","), "(\(changed)) AND ", old))
    }
    let pairs = lists.map { list in
      list.triggers(of: bareName) { id in
        // Without the second condition, SQLite would collect all pairs of an owner for each of them that changes.
        "INSERT INTO \(name) SELECT \(values(of: "", id)) FROM \(table) WHERE _id=\(id) "
          + "AND NOT EXISTS(SELECT 1 FROM \(name) WHERE _id=\(id)) ON CONFLICT DO NOTHING"
      }
    }
    return pairs.reduce(into: Dictionary(uniqueKeysWithValues: result)) { $0.merge($1) { first, _ in first } }
  }

  /// The columns that the table of the class has as well.
  private var plainColumns: [String] { columns.filter { name in !lists.contains { $0.name == name } } }

  /// SQL for the values of a row with an id. The row's columns have a prefix.
  private func values(of row: String, _ id: String) -> String {
    let values = columns.map { column in
      lists.first { $0.name == column }?.members(of: id) ?? row + SQL.name(column)
    }
    return ([id, "0", Self.now] + values).joined(separator: ",")
  }

  private func trigger(_ event: String, _ of: String, _ condition: String, _ values: String) -> (String, String) {
    let trigger = "\(bareName)_on_\(event)"
    // `INSERT OR IGNORE` would abort here, because the conflict clause of an upsert counts in its triggers, too.
    return (
      "trigger \(trigger)",
      "CREATE TRIGGER \(SQL.name(trigger)) AFTER \(event.uppercased())\(of) ON \(table) "
        + "WHEN \(condition)NOT EXISTS(SELECT 1 FROM _larder_applying) "
        + "BEGIN INSERT INTO \(name) VALUES(\(values)) ON CONFLICT DO NOTHING; END"
    )
  }

  /// Adds a record of unknown base for each row that has none.
  var marking: String {
    let list = plainColumns.map { ",\(SQL.name($0))" }.joined()
    return "INSERT INTO \(name)(_id,_kind,_since\(list)) SELECT _id,2,\(Self.now)\(list) FROM \(table) "
      + "WHERE _id NOT IN (SELECT _id FROM \(name))"
  }

  /// Copies the records of another base table.
  ///
  /// - Parameters:
  ///   - isUnknown: Whether the base of all rows becomes unknown, except of those that were inserted here.
  ///   - value: Returns SQL for a column of the rows with a base.
  func copying(from other: String, isUnknown: Bool, _ value: (String) -> String?) -> String {
    let kind = isUnknown ? "CASE _kind WHEN 0 THEN 2 ELSE _kind END" : "_kind"
    let values = columns.map { "CASE WHEN _kind<>1 THEN \(value($0) ?? "NULL") END" }
    return "INSERT INTO \(name) SELECT \((["_id", kind, "_since"] + values).joined(separator: ",")) FROM \(other)"
  }
}
