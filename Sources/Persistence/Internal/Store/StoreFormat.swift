/// What a store file holds besides the tables of the classes.
///
///     application_id   "LRDR"
///     user_version     the version of this format
///     _larder_ids      per class, the lowest id that nobody has reserved
///     _larder_meta     facts about the store by name: "schema", the text of its tables' definitions
///
/// Each class has a table of its own, with `_id` as its key and `_version` counting the row's changes; each many-to-many
/// relationship has a table of pairs. Foreign keys are checked at the end of a transaction.
enum StoreFormat {
  static let applicationID: Int64 = 0x4C52_4452
  static let version: Int64 = 1
  static let ids = "_larder_ids"
  static let meta = "_larder_meta"

  static let own = [
    "CREATE TABLE IF NOT EXISTS \(ids)(entity TEXT PRIMARY KEY, next INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS \(meta)(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
  ]

  /// Raises the lowest free id of a class to a floor, then by a number, and returns it.
  static let raiseIDs =
    "INSERT INTO \(ids)(entity,next) VALUES(?1,?2+?3) ON CONFLICT(entity) DO UPDATE SET next=max(next,?2)+?3 RETURNING next"
}

extension Entity {
  /// The table and its indexes.
  var definitions: [String] {
    let columns = self.columns.enumerated().map { slot, column in
      guard let relationship = references[slot] else { return column.definition }
      return column.definition
        + " REFERENCES \(relationship.target.table)(\(SQL.name(SQL.id))) DEFERRABLE INITIALLY DEFERRED"
    }
    let orders = references.compactMap { $0?.inverse.orderColumn }.map { "\($0) INTEGER" }
    let own = ["\(SQL.name(SQL.id)) INTEGER PRIMARY KEY", "\(SQL.name(SQL.version)) INTEGER NOT NULL DEFAULT 1"]
    let table = "CREATE TABLE \(self.table)(" + (own + columns + orders).joined(separator: ", ") + ")"
    let indexes = self.indexes.map { index in
      let columns = index.slots.map { self.columns[$0] }
      let kind = index.isUnique ? "UNIQUE INDEX" : "INDEX"
      let indexName = SQL.name(([name] + columns.map(\.name)).joined(separator: ".") + (index.isUnique ? "" : "."))
      return "CREATE \(kind) \(indexName) ON \(self.table)(\(columns.map(\.quoted).joined(separator: ",")))"
    }
    return [table] + indexes
  }
}

extension Schema {
  /// The tables of pairs.
  private func definitions(of join: JoinTable) -> [String] {
    let sides = entities.flatMap(\.toMany).compactMap { relationship -> (String, Relationship)? in
      guard case .join(let other, let own, _) = relationship.storage, other === join else { return nil }
      return (own, relationship)
    }.sorted { $0.0 < $1.0 }
    let first = SQL.name(JoinTable.first)
    let second = SQL.name(JoinTable.second)
    let columns = sides.map { column, relationship in
      "\(SQL.name(column)) INTEGER NOT NULL REFERENCES \(relationship.entity.table)(\(SQL.name(SQL.id)))"
        + " DEFERRABLE INITIALLY DEFERRED"
    }
    let orders = sides.compactMap { $1.orderColumn }.map { "\($0) INTEGER" }
    let name = SQL.name(join.name)
    return [
      "CREATE TABLE \(name)(\((columns + orders).joined(separator: ", ")), PRIMARY KEY(\(first),\(second))) WITHOUT ROWID",
      "CREATE INDEX \(SQL.name(join.name + ".inverse")) ON \(name)(\(second),\(first))",
    ]
  }

  /// Everything that the store must hold, by name of the table.
  var definitions: [(table: String, statements: [String])] {
    entities.map { ($0.name, $0.definitions) } + joins.map { ($0.name, definitions(of: $0)) }
  }
}
