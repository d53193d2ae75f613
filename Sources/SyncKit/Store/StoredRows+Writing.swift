internal import Persistence

/// Writing what differs from what the store has.
extension StoredRows {
  func write(_ row: SyncRow, replacing old: SyncRow?) throws {
    try writeObject(row, replacing: old)
    if row.base != old?.base || row.key != old?.key || row.now == nil { try writeBase(row) }
    try writeReferences(row, isNew: old == nil)
    try writeRest(row, replacing: old)
  }

  private func writeObject(_ row: SyncRow, replacing old: SyncRow?) throws {
    let table = tables.tables[row.id.entity]
    guard let now = row.now else {
      if old?.now != nil { _ = try writer.delete(table.name, id: row.id.id) }
      return
    }
    guard let before = old?.now else {
      var values = table.values(now)
      values[table.key.property] = row.key?.value ?? .null
      try writer.restore(table.name, id: row.id.id, values)
      return try writeLists(now, of: row.id)
    }
    let changes = now.changes(from: before)
    var values = table.values(changes)
    if row.key != old?.key { values[table.key.property] = row.key?.value ?? .null }
    if !values.isEmpty { try writer.update(table.name, id: row.id.id, values) }
    try writeLists(changes, of: row.id)
  }

  /// Writes the members of the lists that the fields name, as far as they are here.
  func writeLists(_ fields: Fields, of id: RowID) throws {
    let table = tables.tables[id.entity]
    for (column, value) in zip(table.columns, fields.values) {
      guard case .list(let list) = value else { continue }
      try writer.setMembers(table.name, id: id.id, column.property, to: list.rows)
    }
  }

  private func writeBase(_ row: SyncRow) throws {
    let table = tables.tables[row.id.entity]
    let id = StoredValue.integer(row.id.id)
    let kind: Int64
    var values: [StoredValue] = []
    switch row.base {
    case .same: kind = -1
    case .none where row.now == nil && row.sent == nil: kind = -1
    case .none: kind = 1
    case .unknown: kind = 2
    case .known(let fields):
      kind = 0
      values = [row.key?.value ?? .null] + fields.values.map { $0?.stored ?? .null }
    }
    if kind < 0 {
      try space.run("DELETE FROM \(table.baseTable) WHERE _id=?1", [id])
      return
    }
    if kind == 2 {
      // What its columns say is the only name of a row that was deleted.
      try space.run(
        "INSERT INTO \(table.baseTable)(_id,_kind,_since,\(table.key.quoted)) "
          + "VALUES(?1,2,CAST(strftime('%s','now') AS INTEGER),?2) ON CONFLICT(_id) DO UPDATE SET _kind=2",
        [id, row.key?.value ?? .null])
      return
    }
    let columns = [table.key.quoted] + table.columns.map(\.quoted)
    if values.isEmpty { values = columns.map { _ in .null } }
    let names = columns.joined(separator: ",")
    let places = columns.indices.map { "?\($0 + 3)" }.joined(separator: ",")
    let sets = columns.map { "\($0)=excluded.\($0)" }.joined(separator: ",")
    try space.run(
      "INSERT INTO \(table.baseTable)(_id,_kind,_since,\(names)) "
        + "VALUES(?1,?2,CAST(strftime('%s','now') AS INTEGER),\(places)) "
        + "ON CONFLICT(_id) DO UPDATE SET _kind=excluded._kind,\(sets)",
      [id, .integer(kind)] + values)
  }

  /// Writes the keys to which the row and its base refer.
  ///
  /// What the table has may differ from what the row had: a relationship that the app has set hides the key.
  func writeReferences(_ row: SyncRow, isNew: Bool) throws {
    let table = tables.tables[row.id.entity]
    guard tables.model.classes[row.id.entity].hasReferences else { return }
    let old = isNew ? References() : try references(of: row.id)
    for (index, column) in table.columns.enumerated() {
      guard let target = column.target else { continue }
      let known = old.sides[column.name] ?? [[:], [:]]
      for (side, (keys, known)) in zip(row.references(index), known).enumerated() where keys != known {
        let place = [className(row.id.entity), .integer(row.id.id), .text(column.name), .integer(Int64(side))]
        if !known.isEmpty {
          try space.run(
            "DELETE FROM _larder_sync_reference WHERE class=?1 AND id=?2 AND attribute=?3 AND side&1=?4", place)
        }
        for (position, key) in keys {
          hasAbsent = true
          try space.run(
            "INSERT INTO _larder_sync_reference(class,id,attribute,side,target,key) VALUES(?1,?2,?3,?4+2*?5,?6,?7)",
            place + [.integer(position), className(target), key])
        }
      }
    }
  }

  /// Rows without a version have nothing to remember.
  func insertVersions(of rows: [RemoteRow], _ ids: [RowID]) throws {
    let known = zip(ids, rows).compactMap { id, row in row.version.map { (id, $0) } }
    var first = 0
    while first < known.count {
      // Several rows are faster than one, but each number of rows is a statement of its own.
      let part = known[first..<(first + 64 <= known.count ? first + 64 : first + 1)]
      let marks = part.indices.map { "(?1,?\(2 * ($0 - first) + 2),?\(2 * ($0 - first) + 3))" }
      try space.run(
        "INSERT INTO _larder_sync_row(class,id,version) VALUES " + marks.joined(separator: ","),
        [className(part[first].0.entity)] + part.flatMap { [.integer($0.id), $1.stored] })
      first = part.endIndex
    }
  }

  private func writeRest(_ row: SyncRow, replacing old: SyncRow?) throws {
    let entity = tables.model.classes[row.id.entity]
    let record = try self.record(row, entity)
    if let old, try record == self.record(old, entity) { return }
    let place = [className(row.id.entity), .integer(row.id.id)]
    if record.allSatisfy({ $0 == .null }) {
      if old != nil { try space.run("DELETE FROM _larder_sync_row WHERE class=?1 AND id=?2", place) }
      return
    }
    try space.run(
      "INSERT OR REPLACE INTO _larder_sync_row(class,id,key,version,isOwed,hold,reason,held,push,position,kind,fields,"
        + "tie,attempts,missed) VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15)", place + record)
  }

  /// The columns of `_larder_sync_row` after the first two. All null if there is nothing to remember.
  private func record(_ row: SyncRow, _ entity: SyncClass) throws -> [StoredValue] {
    var record = [StoredValue](repeating: .null, count: 13)
    if row.isGone { return record }
    // The key of a row that is here is in its object.
    if row.now == nil { record[0] = row.key?.value ?? .null }
    record[1] = row.version?.stored ?? .null
    if row.isOwed { record[2] = .integer(1) }
    if row.isMissed { record[12] = .integer(1) }
    var sent = row.sent
    switch row.hold {
    case .rejected(let reason, let fields):
      record[3] = .text("rejected")
      record[4] = .text(reason)
      record[5] = try StoredFields.text(fields, of: entity)
    case .outdated: record[3] = .text("outdated")
    case .unconfirmed(let change):
      record[3] = .text("unconfirmed")
      sent = change
    case nil: break
    }
    if let sent {
      record[6] = .integer(sent.push)
      record[7] = .integer(Int64(sent.index))
      record[8] = .text(sent.kind.name)
      record[9] = try StoredFields.text(sent.fields, of: entity)
      record[10] = .integer(sent.commit)
      record[11] = .integer(Int64(sent.attempts))
    }
    return record
  }
}

extension SyncRow {
  /// The keys of an attribute that `_larder_sync_reference` has, of the object and of its base.
  fileprivate func references(_ attribute: Int) -> [[Int64: StoredValue]] {
    let mine = now?[attribute]?.absent ?? [:]
    guard case .known(let fields) = base, let value = fields[attribute], value.absent != mine else {
      return [mine, [:]]
    }
    // An object hides the key of the other side.
    if case .object = value { return [mine, [:]] }
    return [mine, value.absent.isEmpty ? [0: .null] : value.absent]
  }
}

extension SyncValue {
  fileprivate var absent: [Int64: StoredValue] {
    switch self {
    case .key(let key): [0: key.value]
    case .list(let list): list.absent.mapValues(\.value)
    case .plain, .object: [:]
    }
  }
}
