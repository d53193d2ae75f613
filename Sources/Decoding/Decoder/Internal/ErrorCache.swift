/// The parts of recent errors, cached because a type that tries several kinds of value fails several times at the same
/// location.
struct ErrorCache {
  /// The description of a value whose kind is not the one that its type expects.
  struct Wording {
    var type: ObjectIdentifier
    var found: UInt8
    /// Nil if both the value and the type are numbers, in which case the value does not fit.
    var text: String?
  }

  private var wordings = [Wording?](repeating: nil, count: wordingCount)
  /// The path that was requested last, and the values along it that have a key. The next path reuses the common part.
  private(set) var path: [any CodingKey] = []
  private var values: [UInt32] = []
  /// Whether a value may have two paths: names are converted for types, and not for dictionaries.
  var isAmbiguous = false

  /// Returns the wording for a type and the first byte of what was found. `make` creates a missing one.
  mutating func wording(_ type: Any.Type, _ found: UInt8, _ make: () -> String?) -> String? {
    let id = ObjectIdentifier(type)
    let slot = (Int(bitPattern: id) >> 4 ^ Int(found)) & (wordingCount - 1)
    if let known = wordings[slot], known.type == id, known.found == found { return known.text }
    let text = make()
    wordings[slot] = Wording(type: id, found: found, text: text)
    return text
  }

  /// Whether the value is the one at a level of the path, which then leads to it.
  func holds(_ value: UInt32, at level: Int) -> Bool {
    level >= 0 && level < values.count && values[level] == value && value != absentValue && !isAmbiguous
  }

  /// Begins a new path with keys whose values are not known, and returns their number.
  mutating func begin(_ keys: [any CodingKey]) -> Int {
    path = keys
    values = Array(repeating: absentValue, count: keys.count)
    return keys.count
  }

  /// Sets the value and the key of a level that the path has reached. Deeper levels remain until the path is cut.
  mutating func put(_ value: UInt32, _ key: any CodingKey, at level: Int) {
    guard level < values.count else {
      values.append(value)
      path.append(key)
      return
    }
    values[level] = value
    path[level] = key
  }

  /// Ends the path at a level.
  mutating func cut(_ level: Int) {
    while values.count > level {
      values.removeLast()
      path.removeLast()
    }
  }

  /// Removes what applies only to one document.
  mutating func forget() {
    cut(0)
    isAmbiguous = false
  }
}

private let wordingCount = 64
