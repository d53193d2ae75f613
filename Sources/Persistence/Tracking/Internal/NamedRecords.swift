/// Tables that name classes and columns, so that a migration renames them there as well: those of `SyncKit`, and the
/// ties.
struct NamedRecords {
  /// The tables and columns that contain the name of a class.
  private static let classes = [
    ("_larder_tie", "class"), ("_larder_sync_row", "class"), ("_larder_sync_reference", "class"),
    ("_larder_sync_reference", "target"), ("_larder_sync_arrived", "class"), ("_larder_sync_report", "class"),
  ]
  /// A table that keeps its records when the class is removed.
  private static let commands = "_larder_sync_command_row"
  /// Those that contain the name of a column of the class in `class`.
  private static let columns = [("_larder_sync_reference", "attribute"), ("_larder_sync_report", "attribute")]
  /// Those that contain JSON with an object `values`, whose members are named after columns of the class in `class`.
  private static let documents = [
    ("_larder_sync_row", "held"), ("_larder_sync_row", "fields"), ("_larder_sync_arrived", "fields"),
    ("_larder_sync_report", "mine"), ("_larder_sync_report", "theirs"), ("_larder_sync_report", "base"),
  ]

  private let connection: Connection
  private let parts: [String: String]

  init(_ connection: Connection) throws(PersistenceError) {
    self.connection = connection
    parts = try connection.trackingParts()
  }

  func renameClass(_ old: String, to new: String) throws(PersistenceError) {
    try run("UPDATE \(Self.commands) SET class=?2 WHERE class=?1", [old, new], on: Self.commands)
    // Records of an earlier class with the new name are outdated.
    for (table, column) in Self.classes {
      try run("UPDATE OR REPLACE \(table) SET \(column)=?2 WHERE \(column)=?1", [old, new], on: table)
    }
  }

  func removeClass(_ name: String) throws(PersistenceError) {
    // A command must not be performed without its rows.
    try run("UPDATE \(Self.commands) SET class='' WHERE class=?1", [name], on: Self.commands)
    for (table, column) in Self.classes { try run("DELETE FROM \(table) WHERE \(column)=?1", [name], on: table) }
  }

  func renameColumn(_ old: String, of owner: String, to new: String) throws(PersistenceError) {
    for (table, column) in Self.columns {
      try run(
        "UPDATE OR REPLACE \(table) SET \(column)=?3 WHERE class=?1 AND \(column)=?2", [owner, old, new], on: table)
    }
    func path(_ number: Int) -> String { "'$.values.\"'||?\(number)||'\"'" }
    for (table, column) in Self.documents {
      try run(
        "UPDATE \(table) SET \(column)=json_set(json_remove(\(column),\(path(2))),\(path(3)),"
          + "json(json_extract(\(column),\(path(2))))) WHERE class=?1 AND json_type(\(column),\(path(2))) NOT NULL",
        [owner, old, new], on: table)
    }
  }

  private func run(_ sql: String, _ values: [String], on table: String) throws(PersistenceError) {
    if parts["table \(table)"] == nil { return }
    let statement = try connection.prepare(sql)
    try statement.bind(values.map { .text($0) })
    try statement.run()
  }
}
