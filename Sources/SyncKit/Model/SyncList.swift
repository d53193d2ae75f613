/// The members of a many-to-many relationship: rows of this store, and keys of those that have not arrived.
///
/// Without an order of their own they are sorted, so that lists are equal if they have the same members.
package struct SyncList: Hashable, Sendable {
  package let members: [SyncValue]
  package let isOrdered: Bool

  package init(_ members: some Sequence<SyncValue>, isOrdered: Bool) {
    var seen: Set<SyncValue> = []
    let unique = members.filter { seen.insert($0).inserted }
    self.isOrdered = isOrdered
    self.members = isOrdered ? unique : unique.sorted(by: SyncList.precedes)
  }

  /// A list of rows that are here, between which keys have their positions.
  package init(_ rows: [Int64], with absent: [Int64: SyncKey], isOrdered: Bool) {
    var members = rows.map { SyncValue.object($0) }
    for (position, key) in absent.sorted(by: { $0.key < $1.key }) {
      members.insert(.key(key), at: min(max(0, Int(clamping: position)), members.count))
    }
    self.init(members, isOrdered: isOrdered)
  }

  /// The rows that are here.
  package var rows: [Int64] { members.compactMap { if case .object(let id) = $0 { id } else { nil } } }

  /// The keys of those that have not arrived, by their positions.
  package var absent: [Int64: SyncKey] {
    var keys: [Int64: SyncKey] = [:]
    for (index, member) in members.enumerated() {
      // Without an order, the number of rows makes no difference.
      if case .key(let key) = member { keys[Int64(isOrdered ? index : keys.count)] = key }
    }
    return keys
  }

  private static func precedes(_ first: SyncValue, _ second: SyncValue) -> Bool {
    switch (first, second) {
    case (.object(let first), .object(let second)): first < second
    case (.key(let first), .key(let second)): first < second
    case (.object, .key): true
    default: false
    }
  }
}

extension SyncValue {
  /// The references: the value itself if it is one, or the members of a list.
  package var references: [SyncValue] {
    switch self {
    case .plain: []
    case .object, .key: [self]
    case .list(let list): list.members
    }
  }

  package var isList: Bool { if case .list = self { true } else { false } }
  var isKey: Bool { if case .key = self { true } else { false } }

  /// The same value with each reference as a closure returns it. For null, a list loses the member.
  package func mappingReferences(_ body: (SyncValue) throws -> SyncValue) rethrows -> SyncValue {
    switch self {
    case .plain: self
    case .object, .key: try body(self)
    case .list(let list):
      .list(SyncList(try list.members.map(body).filter { $0 != .null }, isOrdered: list.isOrdered))
    }
  }

  package func replacing(_ old: SyncValue, by new: SyncValue) -> SyncValue {
    references.contains(old) ? mappingReferences { $0 == old ? new : $0 } : self
  }
}

extension Fields {
  /// Whether a list has members that are not here.
  var hasAbsentMembers: Bool {
    values.contains { $0?.isList == true && $0?.references.contains(where: \.isKey) == true }
  }

  package mutating func replace(_ old: SyncValue, by new: SyncValue, in attribute: Int) {
    values[attribute] = values[attribute]?.replacing(old, by: new)
  }
}

extension SyncModel {
  /// The same values with each reference as a closure returns it, which receives the class that it leads to.
  package func mappingReferences(
    in fields: Fields, of entity: Int, _ body: (_ target: Int, SyncValue) throws -> SyncValue
  ) rethrows -> Fields {
    guard classes[entity].hasReferences else { return fields }
    var fields = fields
    for (index, attribute) in classes[entity].attributes.enumerated() {
      guard let target = attribute.target, let value = fields[index] else { continue }
      fields[index] = try value.mappingReferences { try body(target, $0) }
    }
    return fields
  }
}
