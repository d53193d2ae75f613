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
      if keys.isEmpty { continue }
      let places = [
        ("key", "id", "_larder_sync_row INDEXED BY _larder_sync_row_key WHERE class=\(table.literal) AND key"),
        (table.key.quoted, "_id", "\(table.baseTable) WHERE _kind<>1 AND \(table.key.quoted)"),
        (table.key.quoted, "_id", "\(table.table) WHERE \(table.key.quoted)"),
      ]
      // For a page it is worth knowing which are empty, as the first two usually are.
      let used = try places.filter { _, _, rows in
        try keys.count < 16 || !space.rows("SELECT 1 FROM \(rows) IS NOT NULL LIMIT 1", []).isEmpty
      }
      for key in keys { names[RemoteName(entity, key)] = .some(nil) }
      for start in used.isEmpty ? [] : Array(stride(from: 0, to: keys.count, by: 200)) {
        let part = keys[start..<min(start + 200, keys.count)]
        let list = "(" + part.indices.map { "?\($0 - start + 1)" }.joined(separator: ",") + ")"
        for (key, id, rows) in used {
          for row in try space.rows("SELECT \(key),\(id) FROM \(rows) IN \(list)", part.map(\.value)) {
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

  func insert(_ rows: [RemoteRow], in entity: Int) throws -> [RowID] {
    let table = tables.tables[entity]
    let plain = table.columns.indices.filter { table.columns[$0].list == nil }
    let properties = [table.key.property] + plain.map { table.columns[$0].property }
    let ids = try writer.insert(table.name, properties, rows: rows.count) { row, property in
      property == 0 ? rows[row].name.key.value : rows[row].fields[plain[property - 1]]?.stored
    }.map { RowID(entity, $0) }
    isFlushed = false
    for (id, row) in zip(ids, rows) { names[row.name] = id }
    try insertVersions(of: rows, ids)
    guard tables.model.classes[entity].hasReferences else { return ids }
    for (id, row) in zip(ids, rows) {
      try writeLists(row.fields, of: id)
      if row.fields.values.contains(where: { $0?.references.contains(where: \.isKey) ?? false }) {
        try writeReferences(SyncRow(id, key: row.name.key, now: row.fields, base: .same), isNew: true)
      }
    }
    return ids
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

  /// The records of the base table of rows that may have changes. A row that is here, and whose base is unknown, waits
  /// for the server's values.
  var waiting: String {
    "\(baseTable) AS b WHERE (_kind<>2 OR NOT EXISTS(SELECT 1 FROM \(table) AS o "
      + "WHERE o._id=b._id AND o.\(key.quoted) IS NOT NULL))"
  }

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
