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
    if entity.hasReferences { references = try self.references(of: id) }
    let now = try values.map { references.completing(try fields($0, of: id), table) }
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

  /// The values of an object. References to rows that have not arrived are nil.
  func fields(_ values: [String: StoredValue], of id: RowID) throws -> Fields {
    let table = tables.tables[id.entity]
    return Fields(
      ContiguousArray(
        try table.columns.map { column in
          guard let list = column.list else { return column.value(values[column.property] ?? .null) }
          let members = try writer.members(table.name, id: id.id, column.property)
          return .list(SyncList(members, with: [:], isOrdered: list.isOrdered))
        }))
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

  /// The keys of rows that have not arrived, to which a row refers, by their positions. That of a to-one relationship
  /// is 0.
  struct References {
    /// By attribute, the keys of the object and those of its base. The latter are empty if they are the same, and null
    /// if there are none.
    var sides: [String: [[Int64: StoredValue]]] = [:]

    func completing(_ fields: Fields, _ table: SyncedTables.Table, isBase: Bool = false) -> Fields {
      if sides.isEmpty { return fields }
      var fields = fields
      for (index, column) in table.columns.enumerated() {
        guard let sides = sides[column.name] else { continue }
        let keys = (isBase && !sides[1].isEmpty ? sides[1] : sides[0]).filter { $0.value != .null }.mapValues {
          SyncKey($0)
        }
        switch fields[index] {
        case .list(let list): fields[index] = .list(SyncList(list.rows, with: keys, isOrdered: list.isOrdered))
        case .plain(.null): fields[index] = keys[0].map { .key($0) } ?? .null
        default: break
        }
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
      guard let attribute = row[0].string, let side = row[1].number else { continue }
      references.sides[attribute, default: [[:], [:]]][Int(side & 1)][side >> 1] = row[2]
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
