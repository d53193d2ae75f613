/// What a store file holds besides the tables of the classes.
///
///     application_id   "LRDR"
///     user_version     the version of this format
///     _larder_ids      per class, the lowest id that nobody has reserved
///     _larder_meta     facts about the store by name: "schema", the text of a `StoredSchema`; "lives", how often
///                      deleted rows have come back
///
/// Each class has a table of its own, with `_id` as its key and `_version` counting the row's changes; each
/// many-to-many relationship has a table of pairs, whose columns are called as what they hold. Foreign keys are checked
/// at the end of a transaction. No function, collation or tokenizer of this library is part of the schema: any SQLite
/// can read, sort, write and check the file.
///
/// Format 1, in which dates counted from 2001 and tables of pairs had the columns `a` and `b`, is not read any more.
enum StoreFormat {
  static let applicationID: Int64 = 0x4C52_4452
  static let version: Int64 = 2
  static let ids = "_larder_ids"
  static let meta = "_larder_meta"

  static let own = [
    "CREATE TABLE IF NOT EXISTS \(ids)(entity TEXT PRIMARY KEY, next INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS \(meta)(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
  ]

  /// Raises the lowest free id of a class to a floor, then by a number, and returns it.
  static let raiseIDs =
    "INSERT INTO \(ids)(entity,next) VALUES(?1,?2+?3) ON CONFLICT(entity) DO UPDATE SET next=max(next,?2)+?3 RETURNING next"

  /// Counts how often rows have come back.
  static let nextLife =
    "INSERT INTO \(meta) VALUES('lives','1') ON CONFLICT(name) DO UPDATE SET value=value+1 "
    + "RETURNING CAST(value AS INTEGER)"

  /// How far versions of rows that have come back at different times lie apart, at least.
  static let versionsOfLife: UInt32 = 1 << 20

  /// The first version of rows that come back. After 4095 lives the numbers begin anew. What somebody holds would have
  /// to be a multiple of that many lives old, to the very change, to be mistaken for the present row when it is saved.
  /// Which of two versions is the newer one can be told within a life only.
  static func versions(ofLife life: Int64) -> UInt32 {
    UInt32(truncatingIfNeeded: life % 4095 + 1) &* versionsOfLife
  }
}
