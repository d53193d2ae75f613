/// Creates base tables and their triggers, see ``BaseTable``.
extension Connection {
  /// What the file has for tracking, and what has a similar name.
  func trackingParts() throws(PersistenceError) -> [String: String] {
    let statement = try statement(BaseTable.parts)
    var parts: [String: String] = [:]
    while try statement.step() { parts[statement.text(0)] = statement.text(1) }
    return parts
  }

  /// Whether the file has everything that the schema needs.
  func tracks(_ schema: Schema) throws(PersistenceError) -> Bool {
    if schema.trackedClasses.isEmpty { return true }
    let found = try trackingParts()
    return found.contains(BaseTable.shared) && schema.trackedClasses.allSatisfy { found.contains($0.base.parts) }
  }

  /// Creates what the schema needs and the file lacks. Called in a write transaction, with foreign keys switched off.
  ///
  /// Base tables of other classes stay: the schema of another program or release may track them.
  func track(_ schema: Schema) throws(PersistenceError) {
    if schema.trackedClasses.isEmpty { return }
    let found = try trackingParts()
    try createSharedTables(found)
    let missing = schema.trackedClasses.map(\.base).filter { !found.contains($0.parts) }
    // All at first: renaming a table fails if any trigger refers to something that is not there. Also those of lists
    // that are no longer tracked, because they write to a column that the table will not have.
    let old = found.filter { part in missing.contains { part.value.contains(" INTO \($0.name) ") } }
    for part in Set(missing.flatMap(\.triggers.keys)).union(old.keys) where part.hasPrefix("trigger ") {
      try dropTrigger(part)
    }
    let stored = schema.stored
    for base in missing {
      let old = try storedBase(of: base.owner, in: stored)
      let added = base.columns.filter { old?.columns.contains($0) != true }
      if let old {
        try makeTemporary(old, as: 0)
        let sources = base.columns.filter(old.columns.contains).map { ($0, MigrationOperation.Source.column($0)) }
        try create(base, from: 0, Dictionary(uniqueKeysWithValues: sources), isUnknown: !added.isEmpty)
      } else {
        try execute("DROP TABLE IF EXISTS \(base.name)")
        try execute(base.creation)
      }
      for trigger in base.triggers.values { try execute(trigger) }
      // With its own triggers, a table has a record of each change of its columns.
      let isComplete = old.map { found.contains($0.triggers) } ?? false
      if !isComplete || !added.isEmpty { try execute(base.marking) }
    }
  }

  /// Creates what all tracked classes share.
  ///
  /// - Parameter found: The parts that the file has.
  func createSharedTables(_ found: [String: String]) throws(PersistenceError) {
    for (part, sql) in BaseTable.shared where found[part] != sql {
      if found[part] != nil { try execute("DROP \(part)") }
      try execute(sql)
    }
  }

  /// The base table that the file has of a class, or nil if there is none.
  ///
  /// - Parameter schema: Which of the columns are lists.
  func storedBase(of owner: String, in schema: StoredSchema) throws(PersistenceError) -> BaseTable? {
    let statement = try statement("SELECT name FROM pragma_table_info(?1)")
    try statement.bind([.text(BaseTable(of: owner, []).bareName)])
    var names: [String] = []
    while try statement.step() { names.append(statement.text(0)) }
    let own = Set(BaseTable.ownColumns)
    return own.isSubset(of: names)
      ? BaseTable(of: owner, names.filter { !own.contains($0) }, schema.lists(of: owner)) : nil
  }

  /// - Parameter part: A key of ``BaseTable/triggers``.
  func dropTrigger(_ part: String) throws(PersistenceError) {
    try execute("DROP TRIGGER IF EXISTS \(SQL.name(String(part.dropFirst("trigger ".count))))")
  }

  /// Gives a base table a temporary name. ``create(_:from:_:isUnknown:)`` will copy its records.
  func makeTemporary(_ base: BaseTable, as number: Int) throws(PersistenceError) {
    try execute("ALTER TABLE \(base.name) RENAME TO \(Self.temporary(number))")
  }

  /// Creates a base table with the records of one that has a temporary name.
  ///
  /// - Parameters:
  ///   - sources: Where the values of the columns come from.
  ///   - isUnknown: Whether the base of all rows becomes unknown.
  func create(
    _ base: BaseTable, from number: Int, _ sources: [String: MigrationOperation.Source], isUnknown: Bool
  ) throws(PersistenceError) {
    try execute("DROP TABLE IF EXISTS \(base.name)")
    try execute(base.creation)
    var values: [StoredValue] = []
    let sql = base.copying(from: Self.temporary(number), isUnknown: isUnknown) { column in
      sources[column]?.sql {
        values.append($0)
        return "?\(values.count)"
      }
    }
    let copy = try prepare(sql)
    try copy.bind(values)
    try copy.run()
    try execute("DROP TABLE \(Self.temporary(number))")
  }

  private static func temporary(_ number: Int) -> String { "_larder_old_base_\(number)" }
}

extension [String: String] {
  fileprivate func contains(_ other: [String: String]) -> Bool { other.allSatisfy { self[$0.key] == $0.value } }
}
