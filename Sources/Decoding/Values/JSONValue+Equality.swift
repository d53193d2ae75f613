extension JSONValue: Hashable {
  /// Whether both mean the same value; see ``JSONValue`` for numbers, strings and objects.
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    // The arrays and objects still to be compared, so that depth needs no stack.
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

  /// Whether both are equal as far as can be seen without looking into arrays and objects, which are left to the
  /// caller.
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

  /// Hashes all of the value.
  public func hash(into hasher: inout Hasher) { hasher.combine(digest) }

  /// A number that equal values have in common.
  private var digest: Int {
    var open: [OpenDigest] = []
    var value = self
    while true {
      if let storage = value.storage, !storage.values.isEmpty {
        open.append(OpenDigest(storage))
      } else {
        var digest = value.leafDigest
        repeat {
          guard let last = open.indices.last else { return digest }
          open[last].add(digest)
          guard open[last].isComplete else { break }
          digest = open.removeLast().result
        } while true
      }
      value = open[open.count - 1].next
    }
  }

  /// The digest of a value that holds no others.
  private var leafDigest: Int {
    var hasher = Hasher()
    switch self {
    case .null: hasher.combine(0)
    case .bool(let bool): hasher.combine(bool)
    case .number(let number): hasher.combine(number)
    case .string(let string): hasher.combineBytes(of: string)
    case .array: hasher.combine(1)
    case .object: hasher.combine(2)
    }
    return hasher.finalize()
  }
}

/// An array or object of which some values have been hashed.
private struct OpenDigest {
  private let storage: JSONStorage
  private var position = 0
  private(set) var result: Int

  init(_ storage: JSONStorage) {
    self.storage = storage
    result = storage.isObject ? 2 : 1
  }

  var isComplete: Bool { position == storage.values.count }

  var next: JSONValue { storage.values[position] }

  mutating func add(_ digest: Int) {
    var hasher = Hasher()
    if storage.isObject {
      // A sum, since the order of members does not count.
      hasher.combineBytes(of: storage.names[position])
      hasher.combine(digest)
      result &+= hasher.finalize()
    } else {
      hasher.combine(result)
      hasher.combine(digest)
      result = hasher.finalize()
    }
    position += 1
  }
}

extension Hasher {
  /// Hashes the code points: `String` hashes what is canonically equivalent to the same.
  mutating func combineBytes(of string: String) {
    var string = string
    string.withUTF8 { combine(bytes: UnsafeRawBufferPointer($0)) }
    combine(0xFF as UInt8)
  }
}
