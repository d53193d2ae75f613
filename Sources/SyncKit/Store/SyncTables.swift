/// The tables in which a store remembers what the machine has to know, next to the base tables of its classes.
///
/// - `_larder_sync` has single values: the name of the replica, and the position of each scope.
/// - `_larder_sync_row` has what is known about a row apart from its values. Rows without anything have no record.
/// - `_larder_sync_reference` has the keys of rows that have not arrived. Side 0 is the object, whose relationship is
///   nil, and also its base, unless that has a record of side 1, which may be null. The sides of a list are twice the
///   position of the key greater.
/// - `_larder_sync_arrived` has rows of the server that may be those that are being created.
/// - `_larder_sync_report` has what merges gave up.
/// - `_larder_sync_command` has the commands in their order, `_larder_sync_command_row` the rows that they wait for.
///
/// Classes and columns are written by name. A migration renames them, see `NamedRecords` of Persistence.
enum SyncTables {
  static let creation = [
    "CREATE TABLE IF NOT EXISTS _larder_sync(name TEXT PRIMARY KEY, value) WITHOUT ROWID",
    "INSERT OR IGNORE INTO _larder_sync VALUES('replica', randomblob(16))",
    "CREATE TABLE IF NOT EXISTS _larder_sync_row(class TEXT, id INTEGER, key, version, isOwed INTEGER, hold TEXT, "
      + "reason TEXT, held TEXT, push INTEGER, position INTEGER, kind TEXT, fields TEXT, tie INTEGER, attempts INTEGER, missed INTEGER, "
      + "PRIMARY KEY(class, id)) WITHOUT ROWID",
    "CREATE INDEX IF NOT EXISTS _larder_sync_row_owed ON _larder_sync_row(isOwed) WHERE isOwed",
    "CREATE INDEX IF NOT EXISTS _larder_sync_row_push ON _larder_sync_row(push) WHERE push IS NOT NULL",
    "CREATE INDEX IF NOT EXISTS _larder_sync_row_key ON _larder_sync_row(class, key) WHERE key IS NOT NULL",
    "CREATE TABLE IF NOT EXISTS _larder_sync_reference(class TEXT, id INTEGER, attribute TEXT, side INTEGER, "
      + "target TEXT, key, PRIMARY KEY(class, id, attribute, side)) WITHOUT ROWID",
    "CREATE INDEX IF NOT EXISTS _larder_sync_reference_key ON _larder_sync_reference(target, key)",
    "CREATE TABLE IF NOT EXISTS _larder_sync_arrived(class TEXT, key, version, fields TEXT, PRIMARY KEY(class, key)) "
      + "WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS _larder_sync_report(number INTEGER PRIMARY KEY, class TEXT, id INTEGER, key, "
      + "kind TEXT, attribute TEXT, mine TEXT, theirs TEXT, base TEXT, choice TEXT)",
    "CREATE TABLE IF NOT EXISTS _larder_sync_command(number INTEGER PRIMARY KEY, id INTEGER UNIQUE, name TEXT, "
      + "payload, queue TEXT, state TEXT, detail)",
    "CREATE INDEX IF NOT EXISTS _larder_sync_command_queue ON _larder_sync_command(queue)",
    "CREATE TABLE IF NOT EXISTS _larder_sync_command_row(command INTEGER, position INTEGER, class TEXT, id INTEGER, "
      + "key, PRIMARY KEY(command, position)) WITHOUT ROWID",
    // What was changed together with a row.
    "CREATE INDEX IF NOT EXISTS _larder_tie_row ON _larder_tie(class, id)",
  ]
}
