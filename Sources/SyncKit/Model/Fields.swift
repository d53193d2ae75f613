package import Persistence

/// The value of an attribute or relationship.
package enum SyncValue: Hashable, Sendable {
  case plain(StoredValue)
  /// A reference to a row of this store.
  case object(Int64)
  /// A reference by what the row is called outside. In the store, the row has not arrived, and the relationship is nil.
  case key(SyncKey)
  /// The members of a many-to-many relationship. It is never null.
  case list(SyncList)

  package static let null = SyncValue.plain(.null)
}

// Texts are the same if their bytes are, as in the store, and not if they look alike.
extension SyncValue {
  package static func == (first: SyncValue, second: SyncValue) -> Bool {
    switch (first, second) {
    case (.plain(.text(let first)), .plain(.text(let second))): first.utf8.elementsEqual(second.utf8)
    case (.plain(let first), .plain(let second)): first == second
    case (.object(let first), .object(let second)): first == second
    case (.key(let first), .key(let second)): first == second
    case (.list(let first), .list(let second)): first == second
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .plain(.text(let text)): for byte in text.utf8 { hasher.combine(byte) }
    case .plain(let value): hasher.combine(value)
    case .object(let id): hasher.combine(id)
    case .key(let key): hasher.combine(key)
    case .list(let list): hasher.combine(list)
    }
  }
}

/// The values of a row, by the indexes of its attributes. In a partial row, those that it does not name are nil.
package struct Fields: Hashable, Sendable {
  package var values: ContiguousArray<SyncValue?>

  package init(_ values: ContiguousArray<SyncValue?>) { self.values = values }

  /// Fields that name nothing.
  package init(count: Int) { values = ContiguousArray(repeating: nil, count: count) }

  package subscript(attribute: Int) -> SyncValue? {
    get { values[attribute] }
    set { values[attribute] = newValue }
  }

  package var isEmpty: Bool { values.allSatisfy { $0 == nil } }

  /// The attributes that are named.
  package var names: some Sequence<Int> { values.indices.lazy.filter { values[$0] != nil } }

  /// Takes on the values that others name.
  package mutating func take(_ others: Fields) {
    for (index, value) in others.values.enumerated() { if let value { values[index] = value } }
  }

  package func taking(_ others: Fields) -> Fields {
    var result = self
    result.take(others)
    return result
  }

  /// The values in which these fields differ from others.
  package func changes(from others: Fields) -> Fields {
    var result = self
    for index in values.indices where values[index] == others.values[index] { result.values[index] = nil }
    return result
  }

  /// Whether others name nothing that is different here.
  package func agrees(with others: Fields) -> Bool {
    zip(values, others.values).allSatisfy { $1 == nil || $0 == $1 }
  }
}
