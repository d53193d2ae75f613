/// The operands of `IN`: the values that can be stored, in a form whose SQL varies as little as possible.
enum ValueList {
  /// Bound as one JSON array, regardless of their number.
  case integers([StoredValue])
  /// Bound individually. The last value is repeated until their number is a power of two.
  case others([StoredValue])

  /// SQLite's own limit is 32,766 for the whole statement.
  static let maximumOthers = 16_384

  init(_ values: [StoredValue]) {
    let storable = values.filter { !$0.isNull && !$0.isNeverStored }
    let isIntegers = storable.allSatisfy { if case .integer = $0 { true } else { false } }
    if isIntegers {
      self = .integers(storable)
    } else {
      var count = 1
      while count < storable.count { count *= 2 }
      let padding = storable.last.map { Array(repeating: $0, count: count - storable.count) } ?? []
      self = .others(storable + padding)
    }
  }

  var arguments: [StoredValue] {
    switch self {
    case .integers(let values): [ValueList.json(values)]
    case .others(let values): values
    }
  }

  /// Integers as the text of a JSON array.
  static func json(_ integers: [StoredValue]) -> StoredValue {
    .text(SQL.json(integers.lazy.compactMap { if case .integer(let value) = $0 { value } else { nil } }))
  }
}
