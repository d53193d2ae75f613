internal import Foundation

/// Encodes change sets as bytes. Classes, columns and relationships are identified by their names in the store, because
/// another process may have different ones, or the same ones in another order.
///
///     set     1, entities, links
///     entity  name, 1 if anything may have changed, columns, rows
///     row     kind (+ 4: which columns is not known), id, version, changes of the version, mask, carried, values
///     link    kind, name, numbers
///
/// Numbers have variable length, with seven bits per byte. An id is written as its difference from the previous one. A
/// mask has a bit for each of the entity's columns, and consists of two numbers if there are more than 64 columns.
struct ChangeSetEncoder {
  private enum Detail: CaseIterable {
    case values
    case ids
    case classes
  }

  private(set) var bytes: [UInt8] = [1]
  private let limit: Int

  /// - Parameter limit: The maximum number of bytes. To stay below it, values are omitted first, and then ids.
  static func encode(_ set: ChangeSet, atMost limit: Int) -> Data {
    for detail in [Detail.values, .ids] {
      var encoder = ChangeSetEncoder(limit: limit)
      if encoder.add(set, detail) { return Data(encoder.bytes) }
    }
    var encoder = ChangeSetEncoder(limit: .max)
    _ = encoder.add(set, .classes)
    return Data(encoder.bytes)
  }

  private init(limit: Int) { self.limit = limit }

  private mutating func add(_ set: ChangeSet, _ detail: Detail) -> Bool {
    add(UInt64(set.entities.count))
    for changes in set.entities {
      add(changes.entity.name)
      add(changes.isWhole || detail == .classes ? 1 : 0)
      if detail == .classes {
        add(0)
        add(0)
      } else if !add(changes, withValues: detail == .values) {
        return false
      }
    }
    return add(set.links, of: set.schema, detail)
  }

  private mutating func add(_ changes: EntityChanges, withValues: Bool) -> Bool {
    let columns = changes.entity.columns
    let used = changes.rows.reduce(into: SlotSet()) { if !$1.isUnknown { $0.formUnion($1.mask) } }
    let slots = Array(used.intersection(SlotSet(first: columns.count)))
    add(UInt64(slots.count))
    for slot in slots { add(columns[slot].name) }
    add(UInt64(changes.rows.count))
    var last: Int64 = 0
    for row in changes.rows {
      if bytes.count > limit { return false }
      add(UInt64(row.kind.rawValue) + (row.isUnknown ? 4 : 0))
      add(signed: row.id &- last)
      last = row.id
      add(UInt64(row.version))
      add(UInt64(row.version &- row.base))
      if row.isUnknown { continue }
      let carried = withValues ? row.carried.intersection(row.mask) : SlotSet()
      add(row.mask, of: slots)
      add(carried, of: slots)
      for slot in slots where carried.contains(slot) {
        guard let values = changes.values(slot, of: row) else { continue }
        if row.kind != .inserted { add(values.old) }
        if row.kind != .deleted { add(values.new) }
      }
    }
    return bytes.count <= limit
  }

  private mutating func add(_ links: ContiguousArray<LinkChange>, of schema: Schema, _ detail: Detail) -> Bool {
    var links = links
    if detail == .classes {
      var known: Set<LinkChange> = []
      links = ContiguousArray(links.map(\.withoutPair).filter { known.insert($0).inserted })
    }
    add(UInt64(links.count))
    for link in links {
      if bytes.count > limit { return false }
      switch link {
      case .added(let join, let first, let second): add(0, schema.joins[join].name, [first, second])
      case .removed(let join, let first, let second): add(1, schema.joins[join].name, [first, second])
      case .all(let join): add(2, schema.joins[join].name, [])
      case .reordered(let entity, let relation, let owner, _):
        add(3, schema.entities[entity].name, [owner])
        add(schema.entities[entity].toMany[relation].property)
      }
    }
    return bytes.count <= limit
  }

  private mutating func add(_ kind: UInt8, _ name: String, _ numbers: [Int64]) {
    bytes.append(kind)
    add(name)
    for number in numbers { add(signed: number) }
  }

  private mutating func add(_ value: StoredValue) {
    switch value {
    // The second case was rejected earlier.
    case .null, .unstorable: bytes.append(0)
    case .integer(let integer):
      bytes.append(1)
      add(signed: integer)
    case .real(let real):
      bytes.append(2)
      withUnsafeBytes(of: real.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    case .text(let text):
      bytes.append(3)
      add(text)
    case .blob(let data):
      bytes.append(4)
      add(UInt64(data.count))
      bytes.append(contentsOf: data)
    }
  }

  /// Adds slots as positions among all slots that the entity's rows name.
  private mutating func add(_ set: SlotSet, of slots: [Int]) {
    let positions = slots.enumerated().reduce(into: SlotSet()) { if set.contains($1.element) { $0.insert($1.offset) } }
    add(positions.low)
    if slots.count > 64 { add(positions.high) }
  }

  private mutating func add(_ text: String) {
    add(UInt64(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  /// Maps numbers with a small magnitude to small unsigned numbers, whatever their sign.
  private mutating func add(signed number: Int64) { add(UInt64(bitPattern: number << 1 ^ number >> 63)) }

  private mutating func add(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}

extension RowChange {
  /// Whether it is known only that something has changed.
  fileprivate var isUnknown: Bool { mask == .everything && carried.isEmpty }
}

extension LinkChange {
  fileprivate var withoutPair: LinkChange {
    switch self {
    case .added(let join, _, _), .removed(let join, _, _), .all(let join): .all(join: join)
    case .reordered(let entity, let relation, _, _): .reordered(entity: entity, relation: relation, owner: 0)
    }
  }
}
