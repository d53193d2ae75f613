public import Foundation

/// The store during a migration, for use in a custom step. It has the class names and rows that the preceding steps of
/// the migration produced, regardless of the program's current classes.
///
/// The table of a class has the same name as the class. The table has the columns `_id` and `_version`, and one column
/// for each attribute and to-one relationship. A one-to-one relationship has two columns: each side has one in the
/// table of its own class. You can use a `MigrationStore` only until the step's closure returns. Everything that the
/// closure does with it is part of the migration's transaction.
public final class MigrationStore {
  private let run: MigrationRun
  var isValid = true

  init(_ run: MigrationRun) { self.run = run }

  /// The names of the store's classes.
  public var classes: [String] { run.current.tables.filter { !$0.isJoin }.map(\.name) }

  /// Returns the names of the columns that contain a class's attributes and to-one relationships, or an empty array if
  /// the class does not exist.
  public func attributes(of type: String) -> [String] {
    run.current.table(type)?.columns.filter(\.isProperty).map(\.name) ?? []
  }

  // Schema

  /// Adds an attribute that has the value `initial` in all existing rows. The attribute is optional if `initial` is
  /// `null`. The cost of adding the attribute does not depend on the number of rows.
  public func addAttribute(
    _ name: String, _ storage: StorageClass, of type: String, initial: StoredValue = .null
  ) throws(PersistenceError) {
    let column = StoredColumn(name: name, type: storage.rawValue, isOptional: initial == .null)
    try change(type, initial: initial) { $0.columns.append(column) }
  }

  /// Adds an attribute of type `Decimal` that has the value `initial` in all existing rows. The attribute is optional
  /// if `initial` is nil. The cost of adding the attribute does not depend on the number of rows.
  public func addDecimalAttribute(
    _ name: String, of type: String, initial: Decimal? = nil
  ) throws(PersistenceError) {
    try check()
    let key = initial.stored
    var table = try run.existing(type)
    let columns = [(name, nil), (SQL.sortKey(of: name), name)] as [(String, String?)]
    for (column, sorts) in columns {
      table.columns.append(
        StoredColumn(name: column, type: StorageClass.text.rawValue, isOptional: initial == nil, sorts: sorts))
    }
    var wanted = run.current
    wanted.replace(type, with: table)
    try run.change(to: wanted) { column, _ in column == name ? SortableDecimal.readable(key) : key }
  }

  /// Adds a to-one relationship, which is nil in all existing rows.
  public func addToOne(_ name: String, of type: String, to target: String) throws(PersistenceError) {
    try run.require(target)
    let storage = StorageClass.integer.rawValue
    let column = StoredColumn(name: name, type: storage, isOptional: true, references: target)
    try change(type) { $0.columns.append(column) }
  }

  /// Adds an unordered many-to-many relationship.
  ///
  /// - Returns: The name of the relationship's join table. Each column contains the ids of objects of one class and has
  ///   the name of this class. If the relationship is between objects of the same class, each column instead has the
  ///   name of the property that leads to the objects with these ids.
  @discardableResult
  public func addManyToMany(
    _ property: String, of type: String, inverse: String, of other: String
  ) throws(PersistenceError) -> String {
    for type in [type, other] { try run.require(type) }
    let sides = [StoredSide(table: type, property: property), StoredSide(table: other, property: inverse)]
    let table = StoredTable(pairing: sides.sorted { $0.path < $1.path }, isOrdered: [false, false])
    try change { $0.replace(table.name, with: table) }
    return table.name
  }

  /// Adds a class without attributes.
  public func addClass(_ name: String) throws(PersistenceError) {
    if classes.contains(name) { throw run.refusal("the store already has a class \(name)") }
    try change { $0.replace(name, with: StoredTable(name: name, sides: nil, columns: [], indexes: [])) }
  }

  /// Removes an attribute or a to-one relationship. This method rewrites the whole table of the class.
  public func removeAttribute(_ name: String, of type: String) throws(PersistenceError) {
    guard try run.existing(type).column(name) != nil else { throw run.missing(name, in: type) }
    try change(type) { table in
      let gone = table.columns.filter { $0.name == name || $0.sorts == name || $0.source == name }.map(\.name)
      table.columns.removeAll { gone.contains($0.name) }
      table.indexes.removeAll { !Set(gone).isDisjoint(with: $0.allColumns) }
    }
  }

  /// Removes a class and its many-to-many relationships.
  public func removeClass(_ name: String) throws(PersistenceError) {
    guard run.current.table(name) != nil else { throw run.missing(name, in: nil) }
    try change { schema in
      schema.replace(name, with: nil)
      schema.tables.removeAll { $0.sides?.contains { $0.table == name } ?? false }
    }
  }

  /// Renames a class.
  public func renameClass(_ old: String, to new: String) throws(PersistenceError) {
    try check()
    try run.rename { (schema) throws(MigrationPlanner.Refusal) in
      try MigrationPlanner.renameClass(old, to: new, in: &schema)
    }
  }

  /// Renames an attribute or a relationship.
  public func rename(_ old: String, of type: String, to new: String) throws(PersistenceError) {
    try check()
    let isImplied = run.schema.isImplied(StoredSide(table: type, property: new))
    if isImplied, !run.current.names(in: type).contains(old) { return }
    try run.rename { (schema) throws(MigrationPlanner.Refusal) in
      try MigrationPlanner.renameProperty(old, of: type, to: new, in: &schema)
    }
  }

  // Rows

  /// Returns the number of objects of a class.
  public func count(of type: String) throws(PersistenceError) -> Int {
    try check()
    return try run.count(of: run.existing(type).name)
  }

  /// Calls the closure with each row of a class, in order of id. At most 500 rows are in memory at a time. The closure
  /// can change, insert and delete rows of the class, but the iteration does not always include the rows that the
  /// closure inserts.
  public func forEachRow(of type: String, _ body: (MigrationRow) throws -> Void) throws {
    try check()
    let names = try run.existing(type).columns.filter(\.isProperty).map(\.name)
    let columns = ([SQL.id] + names).map(SQL.name).joined(separator: ",")
    var next = Int64.min
    while true {
      let statement = try run.connection.statement(
        "SELECT \(columns) FROM \(SQL.name(type)) WHERE \(SQL.name(SQL.id))>=?1 ORDER BY \(SQL.name(SQL.id)) LIMIT 500")
      try statement.bind([.integer(next)])
      var rows: [MigrationRow] = []
      while try statement.step() {
        let values = names.enumerated().map { ($1, statement.value(Int32($0 + 1))) }
        rows.append(MigrationRow(id: statement.int64(0), values: Dictionary(values) { $1 }, type: type))
      }
      for row in rows { try body(row) }
      guard let last = rows.last, last.id < .max, rows.count == 500 else { return }
      next = last.id + 1
    }
  }

  /// Sets an object's attributes and to-one relationships to the given values, which are keyed by column name.
  public func update(_ type: String, id: Int64, _ values: [String: StoredValue]) throws(PersistenceError) {
    try check()
    let values = try withSortKeys(values, of: type)
    let names = try names(of: values, in: type)
    let sets = names.map { "\(SQL.name($0))=?" } + ["\(SQL.name(SQL.version))=\(SQL.name(SQL.version))+1"]
    let statement = try run.connection.statement(
      "UPDATE \(SQL.name(type)) SET \(sets.joined(separator: ",")) WHERE \(SQL.name(SQL.id))=?")
    try statement.bind(names.map { values[$0] ?? .null } + [.integer(id)])
    try statement.run()
    if statement.changes == 0 { throw .notFound(type: type, id: id) }
  }

  /// Inserts an object. Every attribute for which you do not pass a value must be optional or must have been added with
  /// an initial value.
  ///
  /// - Returns: The new object's id.
  @discardableResult
  public func insert(into type: String, _ values: [String: StoredValue]) throws(PersistenceError) -> Int64 {
    try check()
    let values = try withSortKeys(values, of: type)
    let names = try names(of: values, in: type)
    let id = try run.nextID(of: type)
    let columns = ([SQL.id] + names).map(SQL.name).joined(separator: ",")
    let statement = try run.connection.statement(
      "INSERT INTO \(SQL.name(type))(\(columns)) VALUES(\(SQL.marks(names.count + 1)))")
    try statement.bind([.integer(id)] + names.map { values[$0] ?? .null })
    try statement.run()
    return id
  }

  /// Deletes an object without applying any delete rules. The step must itself change all relationships that refer to
  /// the deleted object.
  public func delete(from type: String, id: Int64) throws(PersistenceError) {
    try check()
    let name = try SQL.name(run.existing(type).name)
    let statement = try run.connection.statement("DELETE FROM \(name) WHERE \(SQL.name(SQL.id))=?")
    try statement.bind([.integer(id)])
    try statement.run()
  }

  /// Runs one SQL statement that reads or changes rows.
  ///
  /// The values replace the statement's `?` placeholders, and the method returns the rows of the result. A statement
  /// that changes the structure of a table or ends the transaction is rejected. A decimal attribute has two columns:
  /// one contains the digits, and the other contains the key that is used for reading and sorting. To set a decimal
  /// attribute, use ``update(_:id:_:)``, which writes both columns.
  @discardableResult
  public func execute(_ sql: String, _ values: [StoredValue] = []) throws(PersistenceError) -> [[StoredValue]] {
    try check()
    return try run.connection.runGuarded(sql, values)
  }

  private func check() throws(PersistenceError) {
    if !isValid { throw run.refusal("the store was used after the step ended") }
  }

  private func names(of values: [String: StoredValue], in type: String) throws(PersistenceError) -> [String] {
    let table = try run.existing(type)
    for name in values.keys where table.column(name) == nil { throw run.missing(name, in: type) }
    return values.keys.sorted()
  }

  /// Adds the sort keys of decimals, which are stored in two forms.
  private func withSortKeys(
    _ values: [String: StoredValue], of type: String
  ) throws(PersistenceError) -> [String: StoredValue] {
    var result = values
    for column in try run.existing(type).columns {
      guard let name = column.sorts, let value = values[name] else { continue }
      if case .null = value {
        result[column.name] = .null
        continue
      }
      guard let number = Decimal(stored: value) else { throw run.refusal("\(type).\(name) accepts only decimals") }
      result[column.name] = number.stored
      result[name] = SortableDecimal.readable(number.stored)
    }
    return result
  }

  private func change(
    _ type: String, initial: StoredValue = .null, _ body: (inout StoredTable) -> Void
  ) throws(PersistenceError) {
    try check()
    var table = try run.existing(type)
    body(&table)
    try change(initial: initial) { $0.replace(type, with: table) }
  }

  private func change(initial: StoredValue = .null, _ body: (inout StoredSchema) -> Void) throws(PersistenceError) {
    try check()
    var wanted = run.current
    body(&wanted)
    try run.change(to: wanted) { _, _ in initial }
  }
}

@available(*, unavailable, message: "a migration's store lives in its step")
extension MigrationStore: Sendable {}

/// A row of a class in a custom migration step. ``MigrationStore/forEachRow(of:_:)`` passes each row to its closure.
public struct MigrationRow: Sendable, Hashable {
  /// The object's id.
  public let id: Int64
  /// The values of attributes and to-one relationships, keyed by column name. A relationship's value is the id of the
  /// related object.
  public let values: [String: StoredValue]

  let type: String

  /// The value of an attribute or to-one relationship, by its column.
  ///
  /// - Throws: ``PersistenceError/migrationFailed(_:)`` if the class has no such column.
  public subscript(_ attribute: String) -> StoredValue {
    get throws(PersistenceError) {
      if let value = values[attribute] { return value }
      let text = "the store's class \(type) has no \(attribute)" + attribute.hint(values.keys.sorted())
      throw .migrationFailed(MigrationFailure(reason: .refused(text), step: "", backup: nil))
    }
  }
}
