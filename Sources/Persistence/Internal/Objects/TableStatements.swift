/// The statements that save the objects of one class. Their texts are made once; the connection's cache keeps the
/// prepared ones.
struct TableStatements {
  /// Rows per INSERT and per UPDATE: several are 20 to 25 % faster than one.
  static let batch = 32
  /// Attributes up to which several rows go in one UPDATE: each row looks for its value among those of the batch.
  static let batchedAttributes = 2

  let insert: String
  let insertBatch: String
  let deleteRun: String
  let version: String
  let byID: String
  let byIDs: String
  private let table: String
  private var updates: [UInt64: String] = [:]
  private var updateBatches: [UInt64: String] = [:]

  init(_ entity: Entity) {
    table = entity.table
    let id = SQL.name(SQL.id)
    let names = ([id] + entity.columns.map(\.quoted)).joined(separator: ",")
    let row = "(" + SQL.marks(entity.columns.count + 1) + ")"
    insert = "INSERT INTO \(table)(\(names)) VALUES \(row)"
    insertBatch = insert + String(repeating: "," + row, count: TableStatements.batch - 1)
    let version = SQL.name(SQL.version)
    deleteRun = "DELETE FROM \(table) WHERE \(id) BETWEEN ?1 AND ?2 AND \(version)=?3"
    self.version = "SELECT \(version) FROM \(table) WHERE \(id)=?1"
    byID = "SELECT \(entity.selection) FROM \(table) WHERE \(id)=?1"
    byIDs = "SELECT \(entity.selection) FROM \(table) WHERE \(id) IN (SELECT value FROM json_each(?1)) ORDER BY \(id)"
  }

  /// Sets the attributes of `mask`: ?1 is the id, ?2 the version that is expected, ?3 the next one.
  mutating func update(_ mask: UInt64, _ entity: Entity) -> String {
    if let known = updates[mask] { return known }
    var sets = ["\(SQL.name(SQL.version))=?3"]
    var rest = mask
    while rest != 0 {
      sets.append("\(entity.columns[rest.trailingZeroBitCount].quoted)=?\(sets.count + 3)")
      rest &= rest - 1
    }
    sets += resetOrders(mask, entity)
    let sql =
      "UPDATE \(table) SET \(sets.joined(separator: ",")) WHERE \(SQL.name(SQL.id))=?1 AND \(SQL.name(SQL.version))=?2"
    // There are as many masks as combinations of attributes.
    if updates.count >= 256 { updates.removeAll() }
    updates[mask] = sql
    return sql
  }

  /// Sets the attributes of `mask` in a batch of rows that all have the same version, or changes nothing if one of them has
  /// not: ?1 is the version, ?2 the next one; then come the ids, then the attributes' values for each of the rows in turn.
  mutating func updateBatch(_ mask: UInt64, _ entity: Entity) -> String {
    if let known = updateBatches[mask] { return known }
    let id = SQL.name(SQL.id)
    let version = SQL.name(SQL.version)
    let batch = TableStatements.batch
    let slots = entity.columns.indices.filter { mask & (1 &<< UInt64($0)) != 0 }
    let marks = (0..<batch).map { "?\($0 + 3)" }
    let ids = marks.joined(separator: ",")
    let sets = slots.enumerated().map { place, slot in
      let cases = marks.enumerated().map { row, mark in
        "WHEN \(mark) THEN ?\(3 + batch + row * slots.count + place)"
      }
      return "\(entity.columns[slot].quoted)=CASE \(id) \(cases.joined(separator: " ")) END"
    }
    let all = (["\(version)=?2"] + sets + resetOrders(mask, entity)).joined(separator: ",")
    let isCurrent = "(SELECT count(*) FROM \(table) WHERE \(id) IN (\(ids)) AND \(version)=?1)=\(batch)"
    let sql = "UPDATE \(table) SET \(all) WHERE \(id) IN (\(ids)) AND \(isCurrent)"
    if updateBatches.count >= 256 { updateBatches.removeAll() }
    updateBatches[mask] = sql
    return sql
  }

  /// Who moves to another owner has no place there yet.
  private func resetOrders(_ mask: UInt64, _ entity: Entity) -> [String] {
    entity.references.enumerated().compactMap { slot, reference in
      guard mask & (1 &<< UInt64(slot)) != 0, let order = reference?.inverse.orderColumn else { return nil }
      return "\(order)=NULL"
    }
  }
}
