@testable import Persistence

/// The titles and pairs before a transaction changed them, as triggers of SQLite keep them: what synchronization calls
/// their base. Orders are not kept: titles have none.
///
/// Not by `INSERT OR IGNORE`: if an import's `ON CONFLICT DO UPDATE` fires the trigger, SQLite aborts instead.
struct StoredBase {
  private let connection: Connection
  private let entity: Entity

  init(_ connection: Connection, _ entity: Entity, _ join: JoinTable) throws {
    (self.connection, self.entity) = (connection, entity)
    let values = entity.columns.map { "OLD.\($0.quoted)" }.joined(separator: ",")
    let nulls = entity.columns.map { _ in "NULL" }.joined(separator: ",")
    let (id, names) = (SQL.name(SQL.id), entity.columns.map(\.quoted).joined(separator: ","))
    try connection.execute("CREATE TABLE base(id INTEGER PRIMARY KEY,isNew INTEGER,\(names))")
    try connection.execute(
      "CREATE TABLE pairBase(first INTEGER,second INTEGER,wasThere INTEGER,PRIMARY KEY(first,second))")
    for (event, row) in [
      ("INSERT", "NEW.\(id),1,\(nulls)"), ("UPDATE", "OLD.\(id),0,\(values)"), ("DELETE", "OLD.\(id),0,\(values)"),
    ] {
      try connection.execute(
        "CREATE TRIGGER base\(event) AFTER \(event) ON \(entity.table) BEGIN "
          + "INSERT INTO base VALUES(\(row)) ON CONFLICT DO NOTHING; END"
      )
    }
    let (first, second) = (SQL.name(join.first), SQL.name(join.second))
    for (event, row, wasThere) in [("INSERT", "NEW", 0), ("DELETE", "OLD", 1)] {
      try connection.execute(
        "CREATE TRIGGER pair\(event) AFTER \(event) ON \(SQL.name(join.name)) BEGIN "
          + "INSERT INTO pairBase VALUES(\(row).\(first),\(row).\(second),\(wasThere)) ON CONFLICT DO NOTHING; END")
    }
  }

  func clear() throws {
    try connection.execute("DELETE FROM base")
    try connection.execute("DELETE FROM pairBase")
  }

  var isEmpty: Bool {
    get throws {
      try connection.statement("SELECT (SELECT count(*) FROM base)+(SELECT count(*) FROM pairBase)").integer() == 0
    }
  }

  /// What is missing, and what differs from the rows and pairs that were there.
  func problems(_ before: StoredTitles, _ after: StoredTitles) throws -> [String] {
    var problems: [String] = []
    let (old, new) = (before.values, after.values)
    let rows = try connection.statement("SELECT * FROM base")
    var kept: Set<Int64> = []
    while try rows.step() {
      let (id, isNew) = (rows.int64(0), rows.int64(1) == 1)
      kept.insert(id)
      let values = entity.columns.indices.map { rows.value(Int32($0) + 2) }
      if isNew ? old[id] != nil : values != old[id] { problems.append("the base is \(values), not \(old[id] as Any)") }
    }
    for id in Set(old.keys).union(new.keys) where old[id] != new[id] && !kept.contains(id) {
      problems.append("there is no base of \(id)")
    }
    let pairs = try connection.statement("SELECT * FROM pairBase")
    var keptPairs: Set<[Int64]> = []
    while try pairs.step() {
      let pair = [pairs.int64(0), pairs.int64(1)]
      keptPairs.insert(pair)
      if before.pairs.contains(pair) != (pairs.int64(2) == 1) { problems.append("the base of \(pair) is wrong") }
    }
    let missing = before.pairs.symmetricDifference(after.pairs).subtracting(keptPairs)
    return problems + missing.map { "there is no base of \($0)" }
  }
}
