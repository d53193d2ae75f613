/// The contents of a store file besides the tables of the classes.
///
///     application_id   "LRDR"
///     user_version     the version of this format
///     _larder_ids      per class, the lowest id not yet reserved; without a class, how many commits of
///                      Larder's own are counted that the history, if there is one, does not have
///     _larder_meta     named values: "schema", the text of a `StoredSchema`; "lives", how often
///                      deleted rows were restored
///
/// Each class has a table, with `_id` as its key and `_version` as the count of the row's changes. Each many-to-many
/// relationship has a join table, whose columns are named after what they contain. Foreign keys are checked at the end
/// of a transaction. The schema uses no function, collation or tokenizer of this library: any SQLite can read, sort,
/// write and check the file.
///
/// Format 1, in which dates counted from 2001 and join tables had the columns `a` and `b`, is no longer supported.
enum StoreFormat {
  static let applicationID: Int64 = 0x4C52_4452
  static let version: Int64 = 2
  static let ids = "_larder_ids"
  static let meta = "_larder_meta"

  static let own = [
    "CREATE TABLE IF NOT EXISTS \(ids)(entity TEXT PRIMARY KEY, next INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS \(meta)(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
  ]

  /// Raises the lowest free id of a class to at least ?2, then by ?3, and returns it.
  static let raiseIDs =
    "INSERT INTO \(ids)(entity,next) VALUES(?1,?2+?3) ON CONFLICT(entity) DO UPDATE SET next=max(next,?2)+?3 RETURNING next"

  /// The same in a commit of its own: also counts it among the commits that are not in the history.
  static let raiseIDsAlone =
    "INSERT INTO \(ids)(entity,next) VALUES(?1,?2+?3),('',1) ON CONFLICT(entity) DO UPDATE "
    + "SET next=CASE entity WHEN '' THEN next+1 ELSE max(next,?2)+?3 END RETURNING next,entity"

  /// Counts a commit that is not in the history, if they are counted.
  static let countCommit = "UPDATE \(ids) SET next=next+1 WHERE entity=''"

  /// Increments the number of times that rows have been restored, and returns it.
  static let nextLife =
    "INSERT INTO \(meta) VALUES('lives','1') ON CONFLICT(name) DO UPDATE SET value=value+1 "
    + "RETURNING CAST(value AS INTEGER)"

  /// The minimum distance between the versions of rows that were restored at different times.
  static let versionsOfLife: UInt32 = 1 << 20

  /// Returns the first version of rows that are restored in a life.
  ///
  /// After 4095 lives the numbers start over. An outdated copy would have to be a multiple of that many lives old, to
  /// the exact change, to be mistaken for the current row when it is saved. Which of two versions is newer can be
  /// determined only within a life.
  static func versions(ofLife life: Int64) -> UInt32 {
    UInt32(truncatingIfNeeded: life % 4095 + 1) &* versionsOfLife
  }
}

extension Connection {
  /// A value of the table that describes the store, or nil if there is none of this name.
  func meta(_ name: String) throws(PersistenceError) -> String? {
    let statement = try statement("SELECT value FROM \(StoreFormat.meta) WHERE name=?1")
    try statement.bind([.text(name)])
    defer { statement.reset() }
    return try statement.step() ? statement.text(0) : nil
  }

  func setMeta(_ name: String, to value: String) throws(PersistenceError) {
    let statement = try statement(
      "INSERT INTO \(StoreFormat.meta) VALUES(?1,?2) ON CONFLICT(name) DO UPDATE SET value=?2")
    try statement.bind([.text(name), .text(value)])
    try statement.run()
  }
}
