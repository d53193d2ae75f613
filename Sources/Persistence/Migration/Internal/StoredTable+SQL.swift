extension StoredTable {
  /// Returns the statement that creates the table. Pass a temporary name for a table that will replace another.
  func creation(as name: String? = nil) -> String {
    let head = "CREATE TABLE \(SQL.name(name ?? self.name))("
    let columns = columns.map(\.definition)
    guard isJoin else {
      let own = ["\(SQL.name(SQL.id)) INTEGER PRIMARY KEY", "\(SQL.name(SQL.version)) INTEGER NOT NULL DEFAULT 1"]
      return head + (own + columns).joined(separator: ", ") + ")"
    }
    let key = "PRIMARY KEY(" + self.columns.prefix(2).map { SQL.name($0.name) }.joined(separator: ",") + ")"
    return head + (columns + [key]).joined(separator: ", ") + ") WITHOUT ROWID"
  }

  func creation(of index: StoredIndex) -> String {
    let columns = index.columns.map(SQL.name).joined(separator: ",")
    let kind = index.isUnique ? "UNIQUE INDEX" : "INDEX"
    let condition = index.where.map { " WHERE \($0)" } ?? ""
    return "CREATE \(kind) \(SQL.name(index.name)) ON \(SQL.name(name))(\(columns))\(condition)"
  }

  /// The statements that calculate columns again where they differ from what their sources result in.
  func recalculations(ignoringRefusals: Bool = false) -> [String] {
    columns.compactMap { $0.recalculation(in: name, by: ignoringRefusals ? "UPDATE OR IGNORE" : "UPDATE") }
  }
}

extension StoredColumn {
  /// The SQL that calculates the column from its source.
  var calculation: String? {
    extracts.map { $0.path.sql(of: SQL.name($0.column)) } ?? folds.map { "\(TextFunction.fold)(\(SQL.name($0)))" }
  }

  func recalculation(in table: String, by update: String = "UPDATE") -> String? {
    let column = SQL.name(name)
    return calculation.map { "\(update) \(SQL.name(table)) SET \(column)=\($0) WHERE \(column) IS NOT \($0)" }
  }

  mutating func rename(_ column: String, to new: String) {
    if name == column { name = new }
    if sorts == column { sorts = new }
    if folds == column { folds = new }
    if extracts?.column == column { extracts?.column = new }
  }

  var definition: String {
    "\(SQL.name(name)) \(type)" + (isOptional ? "" : " NOT NULL")
      + (references.map { " REFERENCES \(SQL.name($0))(\(SQL.name(SQL.id))) DEFERRABLE INITIALLY DEFERRED" } ?? "")
  }
}

extension StoredTable {
  static func name(pairing sides: [StoredSide]) -> String { sides.map(\.path).joined(separator: "+") }

  /// Returns the names of a join table's columns. They are named after the classes whose ids they contain. If both
  /// classes are the same, they are named after the properties that lead to the objects from the other side.
  static func columns(pairing sides: [StoredSide]) -> (first: String, second: String) {
    if sides[0].table.lowercased() != sides[1].table.lowercased() { return (sides[0].table, sides[1].table) }
    let (first, second) = (sides[1].property, sides[0].property)
    // SQLite ignores the case of names.
    return first.lowercased() == second.lowercased() ? (first, second + "_") : (first, second)
  }

  /// Creates the join table of two sides, which must be sorted by their paths.
  init(pairing sides: [StoredSide], isOrdered: [Bool]) {
    let (first, second) = StoredTable.columns(pairing: sides)
    let names = [first, second]
    let columns = zip(names, sides).map { name, side in
      StoredColumn(name: name, type: StorageClass.integer.rawValue, isOptional: false, references: side.table)
    }
    let orders = zip(names, zip(sides, isOrdered)).filter(\.1.1).map { name, side in
      StoredColumn(
        name: SQL.order(of: name), type: StorageClass.integer.rawValue, isOptional: true, orders: side.0)
    }
    let name = StoredTable.name(pairing: sides)
    // The key finds the members of the first side's objects. If these are ordered, an index contains them in order.
    var indexes = [
      StoredIndex(
        name: name + ".inverse", columns: [second] + (isOrdered[1] ? [SQL.order(of: second)] : []) + [first],
        isUnique: false)
    ]
    if isOrdered[0] {
      indexes.append(
        StoredIndex(name: name + ".order", columns: [first, SQL.order(of: first), second], isUnique: false))
    }
    self.init(name: name, sides: sides, columns: columns + orders, indexes: indexes)
  }
}
