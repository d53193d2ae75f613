internal import Foundation

/// A copy of a corrupt store, from which as many rows as possible are read.
///
/// Rows are read in ascending order until a page cannot be read. Then higher ids are tried until one leads to a
/// readable page, and the rows between are read in descending order from there.
final class CorruptStore {
  private let connection: RawConnection

  init(_ copy: URL) throws(PersistenceError) {
    try StoreFile.mendHeader(of: copy)
    connection = try CorruptStore.connect(to: copy)
  }

  private static func connect(to copy: URL) throws(PersistenceError) -> RawConnection {
    do {
      let connection = try RawConnection(copy.path)
      try connection.readSchema()
      return connection
    } catch {
      // The log does not belong to the file, or is corrupt itself.
      for suffix in ["-wal", "-shm"] { unlink(copy.path + suffix) }
      return try RawConnection(copy.path)
    }
  }

  /// Returns the store's description of its tables, or `schema` if it cannot be read; and whether it was read.
  func schema(otherwise schema: StoredSchema) -> (StoredSchema, Bool) {
    let sql = "SELECT value FROM \(StoreFormat.meta) WHERE name='schema'"
    var text: String?
    _ = connection.scan(sql, []) { text = $0.text(0) }
    guard let stored = text.flatMap({ StoredSchema(text: $0) }) else { return (schema, false) }
    return (stored, true)
  }

  func reservedIDs() -> [(String, Int64)] {
    var result: [(String, Int64)] = []
    _ = connection.scan("SELECT entity,next FROM \(StoreFormat.ids)", []) { row in
      let next = row.int64(1)
      if next > 0 && next < .max { result.append((row.text(0), next)) }
    }
    return result
  }

  // Objects

  func copy(_ table: StoredTable, to target: Connection) throws(PersistenceError) -> SalvagedRows {
    let writer = try SalvageWriter(table, target)
    let there = columns(of: table.name)
    guard there.contains(SQL.id) else {
      return SalvagedRows(saved: 0, refused: 0, gaps: [Int64.min...Int64.max])
    }
    let id = SQL.name(SQL.id)
    // What is calculated from other columns is calculated again, so corrupt values of it cost no row.
    let names = table.columns.map { $0.source == nil && there.contains($0.name) ? SQL.name($0.name) : "NULL" }
    let head = "SELECT \(([id] + names).joined(separator: ",")) FROM \(SQL.name(table.name)) WHERE \(id)"
    let up = head + ">=?1 ORDER BY \(id)"
    let down = head + "<?1 AND \(id)>=?2 ORDER BY \(id) DESC"
    let first = "SELECT \(id) FROM \(SQL.name(table.name)) WHERE \(id)>=?1 ORDER BY \(id) LIMIT 1"
    var position = Int64.min
    while true {
      var last: Int64?
      let isWhole = connection.scan(up, [position]) { row in
        last = row.int64(0)
        writer.write(row)
      }
      if let error = writer.error { throw error }
      if isWhole { break }
      // The ids that the store hands out begin at 1.
      let gap = last.map { $0 == .max ? $0 : $0 + 1 } ?? position
      guard let next = search(from: max(gap, 1), by: first) else {
        writer.rows.gaps.append(gap...Int64.max)
        break
      }
      var lowest = next
      _ = connection.scan(down, [next, gap]) { row in
        lowest = row.int64(0)
        writer.write(row)
      }
      if let error = writer.error { throw error }
      if lowest > gap { writer.rows.gaps.append(gap...lowest - 1) }
      position = next
    }
    return writer.rows
  }

  /// Returns the next readable id. The steps stay small while pages may be corrupt, and then double.
  private func search(from start: Int64, by sql: String) -> Int64? {
    var probe = start
    var step: Int64 = 1
    var count = 0
    while true {
      let (next, overflow) = probe.addingReportingOverflow(step)
      if overflow { return nil }
      probe = next
      var found: Int64?
      if connection.scan(sql, [probe], { found = $0.int64(0) }) { return found }
      count += 1
      if step < 64 || count > 10_000 { step = step > 1 << 60 ? step : step * 2 }
    }
  }

  private func columns(of table: String) -> Set<String> {
    var result: Set<String> = []
    _ = connection.scan("SELECT name FROM pragma_table_info(\(SQL.string(table)))", []) {
      result.insert($0.text(0))
    }
    return result
  }

  // Join tables

  /// Copies pairs in ascending order, then in descending order, and owner by owner for the gap between.
  func copyPairs(
    _ table: StoredTable, of owners: [Int64], to target: Connection
  ) throws(PersistenceError) -> SalvagedRows {
    let writer = try SalvageWriter(table, target)
    let there = columns(of: table.name)
    let key = table.columns.prefix(2).map(\.name)
    guard key.allSatisfy(there.contains) else {
      return SalvagedRows(saved: 0, refused: 0, gaps: [Int64.min...Int64.max])
    }
    let names = table.columns.map { there.contains($0.name) ? SQL.name($0.name) : "NULL" }
    let head = "SELECT 0,\(names.joined(separator: ",")) FROM \(SQL.name(table.name))"
    let (first, second) = (SQL.name(key[0]), SQL.name(key[1]))
    var low = Int64.min
    let isWhole = connection.scan(head + " ORDER BY \(first),\(second)", []) { row in
      low = row.int64(1)
      writer.write(row)
    }
    if let error = writer.error { throw error }
    if isWhole { return writer.rows }
    var high = Int64.max
    _ = connection.scan(head + " WHERE \(first)>=?1 ORDER BY \(first) DESC,\(second) DESC", [low]) { row in
      high = row.int64(1)
      writer.write(row)
    }
    for owner in owners where owner >= low && owner <= high {
      let isRead = connection.scan(head + " WHERE \(first)=?1", [owner]) { writer.write($0) }
      if !isRead { writer.rows.gaps.append(owner...owner) }
    }
    if let error = writer.error { throw error }
    return writer.rows
  }
}
