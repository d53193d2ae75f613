/// A change to the tables of a store.
enum MigrationOperation: Hashable, Sendable {
  case createTable(StoredTable)
  case dropTable(String, isJoin: Bool)
  case renameTable(String, to: String, isJoin: Bool)
  case renameColumn(String, in: String, to: String)
  /// Does not touch the rows: SQLite reads the default where a row ends before the column.
  case addColumn(StoredColumn, to: String, initial: StoredValue)
  /// Gives a column the values that are calculated from another one, where it does not have them.
  case calculate(StoredColumn, in: String)
  /// Copies the rows to a new table, which replaces the old one.
  case rebuild(StoredTable, from: String, sources: [Source])
  case createIndex(StoredIndex, on: StoredTable)
  case dropIndex(String)
  /// Creates and fills the full-text index of a table. Operations that rename or copy the table, or rename one of the
  /// searchable columns, drop that index, and so does a custom step. It is then created again at the end.
  case createSearch(StoredTable)
  case dropSearch(String)

  /// The source of the values of a rebuilt table's column.
  enum Source: Hashable, Sendable {
    case column(String)
    /// A column, and the value that replaces its NULLs.
    case filled(String, StoredValue)
    case value(StoredValue)

    /// The source as SQL.
    ///
    /// - Parameter mark: Returns the parameter for a value.
    func sql(_ mark: (StoredValue) -> String) -> String {
      switch self {
      case .column(let name): SQL.name(name)
      case .filled(let name, let value): "coalesce(\(SQL.name(name)),\(mark(value)))"
      case .value(let value): mark(value)
      }
    }
  }
}

extension MigrationOperation {
  /// The table whose rows the operation reads or writes one by one. Nil if the cost does not depend on the number of
  /// rows.
  var walkedTable: String? {
    switch self {
    case .rebuild(_, let table, _), .dropTable(let table, _): table
    case .createIndex(_, let table), .createSearch(let table): table.name
    case .calculate(_, let table): table
    case .createTable, .renameTable, .renameColumn, .addColumn, .dropIndex, .dropSearch: nil
    }
  }

  /// The table whose full-text index no longer fits after the operation, by its name before it.
  func endsSearch(in schema: StoredSchema) -> StoredTable? {
    let table: StoredTable?
    switch self {
    case .dropTable(let name, _), .renameTable(let name, _, _), .rebuild(_, let name, _), .dropSearch(let name):
      table = schema.table(name)
    case .renameColumn(let column, let name, _):
      table = schema.table(name).flatMap { $0.search.contains(column) ? $0 : nil }
    case .createTable, .addColumn, .calculate, .createIndex, .dropIndex, .createSearch: table = nil
    }
    return table.flatMap { $0.search.isEmpty ? nil : $0 }
  }

  /// Whether the operation can leave rows that refer to missing rows.
  var mayBreakReferences: Bool {
    switch self {
    case .rebuild, .dropTable: true
    default: false
    }
  }

  /// Describes what is lost, for a preview.
  func losses(in old: StoredSchema) -> [String] {
    switch self {
    case .dropTable(let table, let isJoin):
      return [isJoin ? "the relationship \(table)" : "the class \(table)"]
    case .rebuild(let new, let from, let sources):
      let kept = sources.compactMap { source -> String? in
        switch source {
        case .column(let name), .filled(let name, _): name
        case .value: nil
        }
      }
      // What is calculated is not lost as long as its source is kept.
      let gone = (old.table(from)?.columns ?? []).filter { !kept.contains($0.name) && $0.source == nil }.map {
        "\(from).\($0.name)"
      }
      let filled = zip(new.columns, sources).compactMap { column, source -> String? in
        guard case .filled = source else { return nil }
        return "the record of which values of \(from).\(column.name) were nil"
      }
      return gone + filled
    default: return []
    }
  }

  /// Describes the operation, for a preview.
  func text(in old: StoredSchema) -> String {
    switch self {
    case .createTable(let table): table.isJoin ? "add the relationship \(table.name)" : "add the class \(table.name)"
    case .dropTable(let table, let isJoin): "remove the \(isJoin ? "relationship" : "class") \(table)"
    case .renameTable(let table, let name, let isJoin):
      "rename the \(isJoin ? "relationship" : "class") \(table) to \(name)"
    case .renameColumn(let column, let table, let name): "rename \(table).\(column) to \(name)"
    case .calculate(let column, let table):
      column.extracts.map { "extract \($0.path.pointer) of \(table).\($0.column)" }
        ?? "fold the texts of \(table).\(column.folds ?? "")"
    case .addColumn(let column, let table, _): "add \(table).\(column.name)"
    case .rebuild(let new, let from, let sources):
      "rewrite \(from): " + changes(new, sources, old.table(from)).joined(separator: ", ")
    case .createIndex(let index, let table):
      "add \(index.isUnique ? "a unique" : "an") index to \(table.name): \(index.columns.joined(separator: ", "))"
        + (index.where.map { " where \($0)" } ?? "")
    case .dropIndex(let name): "remove the index \(name)"
    case .createSearch(let table): "index the text of \(table.name): \(table.search.joined(separator: ", "))"
    case .dropSearch(let table): "remove the full-text index of \(table)"
    }
  }

  private func changes(_ new: StoredTable, _ sources: [Source], _ old: StoredTable?) -> [String] {
    var kept: Set<String> = []
    var texts: [String] = []
    for (column, source) in zip(new.columns, sources) {
      switch source {
      case .value: texts.append("add \(column.name)")
      case .filled(let name, _):
        kept.insert(name)
        texts.append("make \(column.name) non-optional")
      case .column(let name):
        kept.insert(name)
        if column.isOptional, old?.column(name)?.isOptional == false { texts.append("make \(column.name) optional") }
        if name != column.name { texts.append("rename \(name) to \(column.name)") }
      }
    }
    return texts + (old?.columns ?? []).filter { !kept.contains($0.name) }.map { "remove \($0.name)" }
  }
}

extension StoredSchema {
  /// Applies an operation to the description of the tables.
  mutating func apply(_ operation: MigrationOperation) {
    if let table = operation.endsSearch(in: self) { setSearch([], of: table.name) }
    switch operation {
    case .createTable(let table):
      var bare = table
      (bare.indexes, bare.search) = ([], [])
      replace(table.name, with: bare)
    case .dropTable(let name, _): replace(name, with: nil)
    case .renameTable(let name, let new, _):
      guard var table = table(name) else { return }
      table.name = new
      replace(name, with: table)
      renameReferences(to: name, new)
    case .renameColumn(let column, let name, let new):
      guard var table = table(name) else { return }
      for index in table.columns.indices { table.columns[index].rename(column, to: new) }
      for index in table.indexes.indices { table.indexes[index].rename(column, to: new) }
      replace(name, with: table)
    case .addColumn(let column, let name, _):
      guard var table = table(name) else { return }
      table.columns.append(column)
      replace(name, with: table)
    case .rebuild(let new, let name, _):
      var bare = new
      (bare.indexes, bare.search) = ([], [])
      replace(name, with: bare)
    case .createIndex(let index, let on):
      guard var table = table(on.name) else { return }
      table.indexes.append(index)
      replace(on.name, with: table)
    case .dropIndex(let index):
      for position in tables.indices { tables[position].indexes.removeAll { $0.name == index } }
    case .createSearch(let table): setSearch(table.search, of: table.name)
    case .calculate, .dropSearch: break
    }
  }

  private mutating func setSearch(_ columns: [String], of name: String) {
    guard var table = table(name) else { return }
    table.search = columns
    replace(name, with: table)
  }

  /// Applies a custom step, after which no full-text index can be relied on.
  mutating func applyCustomStep() {
    for index in tables.indices { tables[index].search = [] }
  }

  private mutating func renameReferences(to old: String, _ new: String) {
    for table in tables.indices {
      for column in tables[table].columns.indices {
        if tables[table].columns[column].references == old { tables[table].columns[column].references = new }
      }
    }
  }
}
