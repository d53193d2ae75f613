extension StoredTable {
  /// The statement that makes the table, under a name of its own where it is to be put in another's place.
  func creation(as name: String? = nil) -> String {
    let head = "CREATE TABLE \(SQL.name(name ?? self.name))("
    let columns = columns.map(\.definition)
    guard isJoin else {
      let own = ["\(SQL.name(SQL.id)) INTEGER PRIMARY KEY", "\(SQL.name(SQL.version)) INTEGER NOT NULL DEFAULT 1"]
      return head + (own + columns).joined(separator: ", ") + ")"
    }
    let key = "PRIMARY KEY(\(SQL.name(JoinTable.first)),\(SQL.name(JoinTable.second)))"
    return head + (columns + [key]).joined(separator: ", ") + ") WITHOUT ROWID"
  }

  func creation(of index: StoredIndex) -> String {
    let columns = index.columns.map(SQL.name).joined(separator: ",")
    return
      "CREATE \(index.isUnique ? "UNIQUE INDEX" : "INDEX") \(SQL.name(index.name)) ON \(SQL.name(name))(\(columns))"
  }
}

extension StoredColumn {
  var definition: String {
    "\(SQL.name(name)) \(type)" + (isOptional ? "" : " NOT NULL")
      + (references.map { " REFERENCES \(SQL.name($0))(\(SQL.name(SQL.id))) DEFERRABLE INITIALLY DEFERRED" } ?? "")
  }
}

extension StoredValue {
  /// The value as SQL writes it, where it is a constant that a column's definition can hold: definitions cannot be bound.
  var literal: String? {
    switch self {
    case .null: "NULL"
    case .integer(let integer): "\(integer)"
    case .real(let real) where real.isNaN: nil
    case .real(let real) where real.isInfinite: real > 0 ? "9e999" : "-9e999"
    // The shortest text that is read back as the same number, and always as a real one.
    case .real(let real): "\(real)"
    case .text(let text):
      text.utf8.contains(0)
        ? nil : "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
    case .blob(let data): "x'" + data.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() + "'"
    case .unstorable: nil
    }
  }
}

extension StoredTable {
  /// The table of the pairs of two sides, which are in the order of their paths.
  init(pairing sides: [StoredSide], isOrdered: [Bool]) {
    let names = [JoinTable.first, JoinTable.second]
    let columns = zip(names, sides).map { name, side in
      StoredColumn(name: name, type: StorageClass.integer.rawValue, isOptional: false, references: side.table)
    }
    let orders = zip(names, zip(sides, isOrdered)).filter(\.1.1).map { name, side in
      StoredColumn(
        name: SQL.order(of: name), type: StorageClass.integer.rawValue, isOptional: true, orders: side.0)
    }
    let name = sides.map(\.path).joined(separator: "+")
    self.init(
      name: name, sides: sides, columns: columns + orders,
      indexes: [StoredIndex(name: name + ".inverse", columns: names.reversed(), isUnique: false)])
  }
}
