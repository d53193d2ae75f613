internal import Foundation

/// Decodes a change set that ``ChangeSetEncoder`` has written. Omits classes, columns and relationships that this
/// schema lacks.
struct ChangeSetDecoder {
  private let schema: Schema
  private var reader: ByteReader

  /// Decodes a change set. If the bytes cannot be read, the result says that anything may have changed.
  static func decode(_ data: Data, _ schema: Schema) -> ChangeSet {
    var decoder = ChangeSetDecoder(schema: schema, reader: ByteReader(data))
    do {
      return try decoder.set()
    } catch {
      return ChangeSet(everythingOf: schema)
    }
  }

  private mutating func set() throws(ByteReader.Malformed) -> ChangeSet {
    guard try reader.byte() == 1 else { throw ByteReader.Malformed() }
    var set = ChangeSet(schema)
    for _ in 0..<(try reader.count()) {
      if let changes = try entity() { set.entities.append(changes) }
    }
    set.entities.sort { $0.entity.index < $1.entity.index }
    for _ in 0..<(try reader.count()) {
      if let link = try link() { set.links.append(link) }
    }
    guard reader.isAtEnd else { throw ByteReader.Malformed() }
    return set
  }

  private mutating func entity() throws(ByteReader.Malformed) -> EntityChanges? {
    let name = try reader.text()
    let entity = schema.entities.first { $0.name == name }
    let isWhole = try reader.byte() != 0
    var slots: [Int?] = []
    for _ in 0..<(try reader.count()) {
      let column = try reader.text()
      slots.append(entity?.columns.firstIndex { $0.name == column })
    }
    guard slots.count <= SlotSet.capacity else { throw ByteReader.Malformed() }
    let known = Set(slots.compactMap { $0 })
    guard known.count == slots.count(where: { $0 != nil }) else { throw ByteReader.Malformed() }
    var changes = entity.map { EntityChanges($0) }
    changes?.isWhole = isWhole
    var id: Int64 = 0
    for _ in 0..<(try reader.count()) { try row(after: &id, slots, of: &changes) }
    changes?.finish()
    return changes
  }

  private mutating func row(
    after id: inout Int64, _ slots: [Int?], of changes: inout EntityChanges?
  ) throws(ByteReader.Malformed) {
    let first = try reader.byte()
    guard first < 8, let kind = ObjectChangeKind(rawValue: first & 3) else { throw ByteReader.Malformed() }
    id &+= try reader.signed()
    let version = UInt32(truncatingIfNeeded: try reader.number())
    let base = version &- UInt32(truncatingIfNeeded: try reader.number())
    if first & 4 != 0 {
      changes?.add(RowChange(id: id, kind: kind, version: version, base: base, mask: .everything))
      return
    }
    let mask = try positions(of: slots)
    let carried = try positions(of: slots)
    var values: [Int: (old: StoredValue, new: StoredValue)] = [:]
    var row = RowChange(id: id, kind: kind, version: version, base: base, mask: SlotSet())
    for (index, slot) in slots.enumerated() {
      if mask.contains(index), let slot { row.mask.insert(slot) }
      guard carried.contains(index) else { continue }
      let old = kind == .inserted ? .null : try reader.value()
      let new = kind == .deleted ? .null : try reader.value()
      guard let slot else { continue }
      row.carried.insert(slot)
      values[slot] = (old, new)
    }
    changes?.add(row)
    // Sorted by this schema's slots.
    for (_, value) in values.sorted(by: { $0.key < $1.key }) {
      if kind != .inserted { changes?.add(value.old) }
      if kind != .deleted { changes?.add(value.new) }
    }
  }

  private mutating func positions(of slots: [Int?]) throws(ByteReader.Malformed) -> SlotSet {
    SlotSet(low: try reader.number(), high: slots.count > 64 ? try reader.number() : 0)
  }

  private mutating func link() throws(ByteReader.Malformed) -> LinkChange? {
    let kind = try reader.byte()
    let name = try reader.text()
    let join = schema.joins.first { $0.name == name }?.index
    switch kind {
    case 0, 1:
      let (first, second) = (try reader.signed(), try reader.signed())
      return join.map {
        kind == 0 ? .added(join: $0, first: first, second: second) : .removed(join: $0, first: first, second: second)
      }
    case 2: return join.map { .all(join: $0) }
    case 3:
      let owner = try reader.signed()
      let property = try reader.text()
      guard let entity = schema.entities.first(where: { $0.name == name }),
        let relation = entity.toMany.firstIndex(where: { $0.property == property })
      else { return nil }
      return .reordered(entity: entity.index, relation: relation, owner: owner)
    default: throw ByteReader.Malformed()
    }
  }
}
