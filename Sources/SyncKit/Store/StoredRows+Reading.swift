internal import Persistence

/// Reading a row from its object, its base, and what else is known about it.
extension StoredRows {
  func load(_ id: RowID) throws -> SyncRow? {
    let table = tables.tables[id.entity]
    let entity = tables.model.classes[id.entity]
    let values = try writer.values(table.name, id: id.id)
    let columns = ([table.key.quoted] + table.columns.map(\.quoted)).joined(separator: ",")
    let base = try space.rows("SELECT _kind,\(columns) FROM \(table.baseTable) WHERE _id=?1", [.integer(id.id)]).first
    let rest = try space.rows(
      "SELECT key,version,isOwed,hold,reason,held,push,position,kind,fields,tie,attempts,missed FROM _larder_sync_row "
        + "WHERE class=?1 AND id=?2", [className(id.entity), .integer(id.id)]
    ).first
    if values == nil && base == nil && rest == nil { return nil }
    var references = References()
    if table.columns.contains(where: { $0.target != nil }) { references = try self.references(of: id) }
    let now = values.map { references.completing(table.fields($0), table) }
    let kind = base?[0].number
    let keys = [kind == 0 ? base?[1] : nil, values?[table.key.property], kind == 2 ? base?[1] : nil, rest?[0]]
    let key = keys.compactMap { $0 }.first { $0 != .null }.map { SyncKey($0) }
    var row = SyncRow(id, key: key, now: now, base: .none)
    switch kind {
    case nil: row.base = now == nil ? .none : .same
    case 0:
      let fields = zip(table.columns, base?.dropFirst(2) ?? []).map { $0.value($1) }
      row.base = .known(references.completing(Fields(ContiguousArray(fields)), table, isBase: true))
    // A key that the server assigns says that the server has the row.
    case 1: row.base = key == nil || entity.settling.makesKeyHere ? .none : .unknown
    default: row.base = key == nil ? .none : .unknown
    }
    if let rest { try read(rest, into: &row, entity) }
    return row
  }

  private func read(_ rest: [StoredValue], into row: inout SyncRow, _ entity: SyncClass) throws {
    row.version = SyncRow.Version(rest[1])
    row.isOwed = rest[2] == .integer(1)
    row.isMissed = rest[12] == .integer(1)
    if let push = rest[6].number {
      row.sent = SyncRow.Sent(
        push: push, index: Int(rest[7].number ?? 0), kind: SyncRow.Sent.Kind(name: rest[8].string ?? ""),
        fields: try StoredFields.fields(rest[9], of: entity) ?? Fields(count: entity.attributes.count),
        commit: rest[10].number ?? 0, attempts: Int(rest[11].number ?? 1))
    }
    switch rest[3].string {
    case "rejected":
      row.hold = .rejected(reason: rest[4].string ?? "", try StoredFields.fields(rest[5], of: entity))
    case "outdated": row.hold = .outdated
    case "unconfirmed":
      if let sent = row.sent { row.hold = .unconfirmed(sent) }
      row.sent = nil
    default: break
    }
  }

  /// The keys of rows that have not arrived, to which a row refers.
  struct References {
    /// By attribute.
    var now: [String: SyncKey] = [:]
    /// What differs in the base. Null where the base refers to nothing.
    var base: [String: SyncValue] = [:]

    /// The keys that the table has of a reference, on both sides. Nil for no record.
    func sides(_ attribute: String) -> [StoredValue?] {
      let base: StoredValue? =
        switch base[attribute] {
        case .key(let key): key.value
        case .plain, .object: .null
        case nil: nil
        }
      return [now[attribute]?.value, base]
    }

    func completing(_ fields: Fields, _ table: SyncedTables.Table, isBase: Bool = false) -> Fields {
      if now.isEmpty && base.isEmpty { return fields }
      var fields = fields
      for (index, column) in table.columns.enumerated() where column.target != nil && fields[index] == .null {
        let own = isBase ? base[column.name] : nil
        fields[index] = own ?? now[column.name].map { .key($0) } ?? .null
      }
      return fields
    }
  }

  func references(of id: RowID) throws -> References {
    var references = References()
    let rows = try space.rows(
      "SELECT attribute,side,key FROM _larder_sync_reference WHERE class=?1 AND id=?2",
      [className(id.entity), .integer(id.id)])
    for row in rows {
      guard let attribute = row[0].string else { continue }
      if row[1] == .integer(0) {
        references.now[attribute] = SyncKey(row[2])
      } else {
        references.base[attribute] = row[2] == .null ? .null : .key(SyncKey(row[2]))
      }
    }
    return references
  }
}

extension SyncRow.Version {
  init?(_ stored: StoredValue) {
    switch stored {
    case .integer(let number): self = .ordered(number)
    case .text(let tag): self = .opaque(tag)
    default: return nil
    }
  }

  var stored: StoredValue {
    switch self {
    case .ordered(let number): .integer(number)
    case .opaque(let tag): .text(tag)
    }
  }
}

extension SyncRow.Sent.Kind {
  init(name: String) {
    self = name == "creation" ? .creation : name == "update" ? .update : .deletion
  }

  var name: String {
    switch self {
    case .creation: "creation"
    case .update: "update"
    case .deletion: "deletion"
    }
  }
}
