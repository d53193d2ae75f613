extension JSONValue: Hashable {
  /// Returns whether both values have the same meaning. ``JSONValue`` describes how numbers, strings and objects are
  /// compared.
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    // The arrays and objects still to be compared, in an array instead of on the stack, so that depth is not limited.
    var pending: [(JSONStorage, JSONStorage)] = []
    guard left.isEqual(right, &pending) else { return false }
    while let (left, right) = pending.popLast() {
      guard left.values.count == right.values.count else { return false }
      for (position, value) in left.values.enumerated() {
        var other = position
        if left.isObject {
          guard let position = right.position(of: left.names[position]) else { return false }
          other = position
        }
        guard value.isEqual(right.values[other], &pending) else { return false }
      }
    }
    return true
  }

  /// Returns whether both values are equal at this level; arrays and objects to be compared are appended to `pending`.
  private func isEqual(_ other: JSONValue, _ pending: inout [(JSONStorage, JSONStorage)]) -> Bool {
    switch (self, other) {
    case (.null, .null): return true
    case (.bool(let left), .bool(let right)): return left == right
    case (.number(let left), .number(let right)): return left == right
    case (.string(let left), .string(let right)): return left.hasSameBytes(as: right)
    case (.array, .array), (.object, .object):
      if let left = storage, let right = other.storage, left !== right { pending.append((left, right)) }
      return true
    default: return false
    }
  }

  /// Hashes the whole value.
  public func hash(into hasher: inout Hasher) {
    hashLeaf(into: &hasher)
    // A sum, because the order of members does not matter. Each value is hashed with the way to it.
    var sum = 0
    var pending = storage.map { [(storage: $0, way: 0)] } ?? []
    while let (storage, way) = pending.popLast() {
      for (position, value) in storage.values.enumerated() {
        var inner = Hasher()
        inner.combine(way)
        if storage.isObject { inner.combineBytes(of: storage.names[position]) } else { inner.combine(position) }
        value.hashLeaf(into: &inner)
        let digest = inner.finalize()
        sum &+= digest
        if let storage = value.storage { pending.append((storage, digest)) }
      }
    }
    hasher.combine(sum)
  }

  /// Hashes the kind of the value, and the value itself unless it contains other values.
  private func hashLeaf(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let bool): hasher.combine(bool)
    case .number(let number): hasher.combine(number)
    case .string(let string): hasher.combineBytes(of: string)
    case .array: hasher.combine(1)
    case .object: hasher.combine(2)
    }
  }
}
