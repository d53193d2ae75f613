internal import Foundation
internal import Persistence

/// The rows of a store, within one transaction: the objects, their base tables, and the tables of ``SyncTables``.
///
/// Values are read and written through objects, which the other contexts of the app receive; all else by SQL. What was
/// read is kept, because nothing else writes in the transaction.
final class StoredRows {
  let space: ObjectSpace
  let writer: RemoteWriter
  let tables: SyncedTables
  let identifiers: SyncIdentifiers
  /// As they are in the store, by what was last read or written.
  private var cache: [RowID: SyncRow?] = [:]
  /// Where the server's names lead, as far as that was looked up.
  private var names: [RemoteName: RowID?] = [:]
  private var isFlushed = true
  /// The rows in flight, until one more or less is.
  var flight: [(row: RowID, isCreation: Bool)]?
  /// Whether any relationship leads to a row that has not arrived.
  var hasAbsent: Bool?

  init(
    _ space: ObjectSpace, _ writer: RemoteWriter, _ tables: SyncedTables, _ identifiers: SyncIdentifiers = .random
  ) {
    (self.space, self.writer, self.tables, self.identifiers) = (space, writer, tables, identifiers)
  }

  static func create(in space: ObjectSpace) throws {
    for sql in SyncTables.creation { try space.run(sql) }
  }

  /// Lets SQL see what objects have.
  func flush() throws {
    if !isFlushed { try writer.flush() }
    isFlushed = true
  }

  func className(_ entity: Int) -> StoredValue { .text(tables.tables[entity].name) }

  func ids(_ sql: String, _ values: [StoredValue], in entity: Int) throws -> [RowID] {
    try flush()
    return try space.rows(sql, values).compactMap { $0[0].number.map { RowID(entity, $0) } }
  }
}

extension StoredRows: SyncStore {
  func row(_ id: RowID) throws -> SyncRow? {
    guard var row = try stored(id) else { return nil }
    if case .known(let fields) = row.base { row.base = .known(try named(fields, of: id.entity)) }
    if let sent = row.sent { row.sent?.fields = try named(sent.fields, of: id.entity) }
    if case .rejected(let reason, let fields?) = row.hold {
      row.hold = .rejected(reason: reason, try named(fields, of: id.entity))
    }
    return row
  }

  /// The row with references as they were written.
  func stored(_ id: RowID) throws -> SyncRow? {
    if let known = cache[id] { return known }
    let row = try load(id)
    cache[id] = .some(row)
    return row
  }

  /// References to rows that were deleted here are written as keys.
  private func named(_ fields: Fields, of entity: Int) throws -> Fields {
    try tables.model.mappingReferences(in: fields, of: entity) { target, reference in
      guard case .object(let id) = reference, let row = try stored(RowID(target, id)), row.now == nil, let key = row.key
      else { return reference }
      return .key(key)
    }
  }

  func prefetch(_ wanted: [RemoteName]) throws {
    try flush()
    for (entity, table) in tables.tables.enumerated() {
      let keys = wanted.filter { $0.entity == entity && names[$0] == nil }.map(\.key)
      for start in stride(from: 0, to: keys.count, by: 200) {
        let part = keys[start..<min(start + 200, keys.count)]
        for key in part { names[RemoteName(entity, key)] = .some(nil) }
        let list = "(" + part.indices.map { "?\($0 - start + 1)" }.joined(separator: ",") + ")"
        let queries = [
          "SELECT key,id FROM _larder_sync_row WHERE class=\(table.literal) AND key IN \(list)",
          "SELECT \(table.key.quoted),_id FROM \(table.baseTable) WHERE _kind<>1 AND \(table.key.quoted) IN \(list)",
          "SELECT \(table.key.quoted),_id FROM \(table.table) WHERE \(table.key.quoted) IN \(list)",
        ]
        for sql in queries {
          for row in try space.rows(sql, part.map(\.value)) {
            names[RemoteName(entity, SyncKey(row[0]))] = row[1].number.map { RowID(entity, $0) }
          }
        }
      }
    }
  }

  func find(_ key: SyncKey, in entity: Int) throws -> RowID? {
    let name = RemoteName(entity, key)
    if names[name] == nil { try prefetch([name]) }
    return names[name] ?? nil
  }

  func put(_ row: SyncRow) throws {
    let old = try stored(row.id)
    if old == row, !row.isGone { return }
    try write(row, replacing: old)
    if row.sent != old?.sent { flight = nil }
    cache[row.id] = .some(row.isGone ? nil : row)
    if let key = old?.key, key != row.key || row.isGone {
      // Another row may have the key by now.
      let name = RemoteName(row.id.entity, key)
      if names[name] == .some(row.id) { names[name] = nil }
    }
    if let key = row.key, !row.isGone { names[RemoteName(row.id.entity, key)] = row.id }
    isFlushed = false
  }

  func insert(_ fields: Fields, key: SyncKey, in entity: Int) throws -> SyncRow {
    let table = tables.tables[entity]
    var values = table.values(fields)
    values[table.key.property] = key.value
    let id = RowID(entity, try writer.insert(table.name, values))
    isFlushed = false
    try writeLists(fields, of: id)
    let isWhole = fields.values.allSatisfy { $0 != nil }
    let now = isWhole ? fields : try self.fields(try writer.values(table.name, id: id.id) ?? [:], of: id).taking(fields)
    let row = SyncRow(id, key: key, now: now, base: .same)
    try writeReferences(row, isNew: true)
    cache[id] = .some(row)
    names[RemoteName(entity, key)] = id
    return row
  }

  func makeKey(in entity: Int) -> SyncKey {
    let id = identifiers.key()
    return SyncKey(tables.tables[entity].hasTextKeys ? .text(id.uuidString.lowercased()) : id.stored)
  }
}

extension StoredValue {
  var number: Int64? { if case .integer(let number) = self { number } else { nil } }

  var string: String? { if case .text(let text) = self { text } else { nil } }
}

extension SyncedTables.Table {
  /// The class's name as a text of SQL.
  var literal: String { "'" + name.replacing("'", with: "''") + "'" }

  /// The values to store, by property, without lists.
  func values(_ fields: Fields) -> [String: StoredValue] {
    var values: [String: StoredValue] = [:]
    for (column, value) in zip(columns, fields.values) where column.list == nil {
      if let value { values[column.property] = value.stored }
    }
    return values
  }
}

extension SyncedTables.Column {
  func value(_ stored: StoredValue) -> SyncValue {
    if let list {
      let rows = stored.string?.split(separator: ",").compactMap { Int64($0) } ?? []
      return .list(SyncList(rows, with: [:], isOrdered: list.isOrdered))
    }
    if target != nil, case .integer(let id) = stored { return .object(id) }
    return .plain(stored)
  }
}

extension SyncValue {
  /// What the column of an attribute contains.
  var stored: StoredValue {
    switch self {
    case .plain(let value): value
    case .object(let id): .integer(id)
    case .key: .null
    // As the triggers write it.
    case .list(let list): list.rows.isEmpty ? .null : .text(list.rows.map(String.init).joined(separator: ","))
    }
  }
}
