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
  public func hash(into hasher: inout Hasher) { hasher.combine(digest) }

  /// A number that is the same for equal values.
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

  /// The digest of a value that contains no other values.
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

/// An array or object whose values are partly hashed.
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
      // A sum, because the order of members does not matter.
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
  /// Hashes the code points, because `String` hashes canonically equivalent strings to the same value.
  mutating func combineBytes(of string: String) {
    var string = string
    string.withUTF8 { combine(bytes: UnsafeRawBufferPointer($0)) }
    combine(0xFF as UInt8)
  }
}
