/// The statements that save the objects of one class. Their texts are created once. The connection's cache stores the
/// prepared statements.
final class TableStatements {
  /// The number of rows per INSERT. Several rows are 20 to 25 % faster than one.
  static let batch = 32

  let insert: String
  let insertBatch: String
  let deleteRun: String
  let setVersion: String
  let byID: String
  let byIDs: String
  private let table: String
  /// Writes a pending row, see ``PendingTable``.
  var pendingRow: String?
  private var updates: [SlotSet: String] = [:]

  init(_ entity: Entity) {
    table = entity.table
    let id = SQL.name(SQL.id)
    let derived = entity.columns.flatMap { $0.derived("").map(\.column) }
    let names = ([id] + entity.columns.map(\.quoted) + derived).joined(separator: ",")
    insert = "INSERT INTO \(table)(\(names)) VALUES " + TableStatements.row(0, of: entity)
    insertBatch =
      insert + (1..<TableStatements.batch).map { "," + TableStatements.row($0, of: entity) }.joined()
    let version = SQL.name(SQL.version)
    deleteRun = "DELETE FROM \(table) WHERE \(id) BETWEEN ?1 AND ?2 AND \(version)=?3"
    setVersion = "UPDATE \(table) SET \(version)=?2 WHERE \(id)=?1"
    byID = "SELECT \(entity.selection) FROM \(table) WHERE \(id)=?1"
    byIDs = "SELECT \(entity.selection) FROM \(table) WHERE \(id) IN (SELECT value FROM json_each(?1)) ORDER BY \(id)"
  }

  /// The parameters of an inserted row: the id, the attributes, and what is calculated from them.
  static func row(_ number: Int, of entity: Entity) -> String {
    let width = entity.columns.count + 1
    let derived = entity.columns.enumerated().flatMap { slot, column in
      column.derived("?\(number * width + slot + 2)").map(\.value)
    }
    return "(" + ([SQL.marks(width)] + derived).joined(separator: ",") + ")"
  }

  /// Sets the attributes of `mask`: ?1 is the id, ?2 the expected version, and ?3 the next version.
  ///
  /// - Parameter restored: Attributes to set as well. Unlike those of `mask`, they get their old values: a row with
  ///   such an owner keeps its position there.
  func update(_ mask: SlotSet, restoring restored: SlotSet, _ entity: Entity) -> String {
    let isCached = restored.isEmpty
    if isCached, let known = updates[mask] { return known }
    let columns = mask.union(restored).map { entity.columns[$0] }
    let sets =
      ["\(SQL.name(SQL.version))=?3"]
      + columns.enumerated().flatMap { TableStatements.sets($1, to: "?\($0 + 4)") } + resetOrders(mask, entity)
    let sql =
      "UPDATE \(table) SET \(sets.joined(separator: ",")) WHERE \(SQL.name(SQL.id))=?1 AND \(SQL.name(SQL.version))=?2"
    guard isCached else { return sql }
    // There can be as many masks as combinations of attributes.
    if updates.count >= 256 { updates.removeAll() }
    updates[mask] = sql
    return sql
  }

  /// Replaces the attributes of `mask` with placeholders: ?1 is the id, and ?2 the version. Folded texts become NULL,
  /// because they may have to be unique, too. What else is calculated from the attributes keeps its value, because the
  /// row is written again before anything reads it.
  func free(_ mask: SlotSet, _ entity: Entity) -> String {
    let sets = mask.map { slot in
      let column = entity.columns[slot]
      return "\(column.quoted)=CAST('\u{1}free:' || ?1 AS BLOB)" + (column.foldedName.map { ",\($0)=NULL" } ?? "")
    }
    let (id, version) = (SQL.name(SQL.id), SQL.name(SQL.version))
    return "UPDATE \(table) SET \(sets.joined(separator: ",")) WHERE \(id)=?1 AND \(version)=?2"
  }

  /// Assigns a value in all of its forms.
  static func sets(_ column: Column, to value: String) -> [String] {
    ["\(column.quoted)=\(value)"] + column.derived(value).map { "\($0)=\($1)" }
  }

  /// A row that moves to another owner does not yet have a position there.
  private func resetOrders(_ mask: SlotSet, _ entity: Entity) -> [String] {
    mask.compactMap { slot in entity.references[slot]?.inverse.orderColumn.map { "\($0)=NULL" } }
  }
}
