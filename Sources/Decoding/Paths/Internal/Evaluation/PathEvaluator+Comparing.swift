/// A value in the form that comparisons use.
enum Comparand {
  case nothing
  case null
  case bool(Bool)
  case number(ExactNumber)
  /// UTF-8 without escapes; its order is that of the code points.
  case string([UInt8])
  case container(PathNode, ValueKind)

  init(_ literal: Literal) {
    switch literal {
    case .string(let string): self = .string(string.utf8)
    case .number(let number): self = .number(number.exact)
    case .bool(let bool): self = .bool(bool)
    case .null: self = .null
    }
  }
}

extension PathEvaluator {
  mutating func comparand(of node: PathNode) throws(EvaluationError) -> Comparand {
    let kind = try kind(of: node)
    if kind == .object || kind == .array { return .container(node, kind) }
    let end = scanner.text.skipScalar(node.offset)
    guard end >= 0 else {
      scanner.setFault(~end)
      throw .malformed
    }
    scanner.took(node.offset, end)
    try meter.spend((end &- node.offset) &* (kind == .number ? WorkMeter.digit : WorkMeter.copiedByte))
    switch kind {
    case .string: return .string(scanner.text.unescaped((node.offset + 1)..<(end - 1)))
    case .number: return .number(ExactNumber(scanner.text.buffer(node.offset, end)))
    case .boolean: return .bool(scanner.text[node.offset] == UInt8(ascii: "t"))
    default: return .null
    }
  }

  mutating func compare(
    _ left: Comparand, _ comparison: Comparison, _ right: Comparand
  ) throws(EvaluationError) -> Bool {
    if let holds = comparison.holds(left, right) { return holds }
    guard case .container(let left, _) = left, case .container(let right, _) = right else { return false }
    return try areEqual(left, right, level: 0) == (comparison != .notEqual)
  }

  private mutating func areEqual(
    _ left: PathNode, _ right: PathNode, level: Int
  ) throws(EvaluationError) -> Bool {
    let comparands = (try comparand(of: left), try comparand(of: right))
    if let isEqual = Comparison.equal.holds(comparands.0, comparands.1) { return isEqual }
    guard case (.container(_, let kind), .container(_, let other)) = comparands, kind == other else { return false }
    guard level < scanner.core.pointee.depthLimit else { throw .limit("the values to compare are nested too deeply") }
    return kind == .array
      ? try areArraysEqual(left, right, level: level + 1) : try areObjectsEqual(left, right, level: level + 1)
  }

  private mutating func areArraysEqual(
    _ left: PathNode, _ right: PathNode, level: Int
  ) throws(EvaluationError) -> Bool {
    var lefts = ChildCursor(scanner: scanner, container: left.offset, depth: left.depth + 1)
    var rights = ChildCursor(scanner: scanner, container: right.offset, depth: right.depth + 1)
    while true {
      let isLeftThere = try advance(&lefts)
      guard try advance(&rights) == isLeftThere else { return false }
      guard isLeftThere else { return true }
      guard try areEqual(PathNode(lefts), PathNode(rights), level: level) else { return false }
    }
  }

  private mutating func areObjectsEqual(
    _ left: PathNode, _ right: PathNode, level: Int
  ) throws(EvaluationError) -> Bool {
    // The members of the right object by name; if several have the same name, the first one counts.
    var members: [MemberName: (value: Int, isFound: Bool)] = [:]
    var rights = ChildCursor(scanner: scanner, container: right.offset, depth: right.depth + 1)
    while try advance(&rights) {
      let name = MemberName(rights)
      try meter.spend(WorkMeter.entry &+ name.length &* 4)
      if members[name] == nil { members[name] = (rights.value, false) }
    }
    var count = 0
    var lefts = ChildCursor(scanner: scanner, container: left.offset, depth: left.depth + 1)
    while try advance(&lefts) {
      let name = MemberName(lefts)
      try meter.spend(WorkMeter.entry &+ name.length &* 4)
      guard let member = members[name] else { return false }
      if member.isFound { continue }
      members[name]?.isFound = true
      count += 1
      guard try areEqual(PathNode(lefts), PathNode(offset: member.value, depth: rights.depth), level: level) else {
        return false
      }
    }
    return count == members.count
  }
}

extension Comparison {
  /// Whether the comparison holds; nil for two objects or arrays, whose content decides whether they are equal.
  func holds(_ left: Comparand, _ right: Comparand) -> Bool? {
    switch self {
    case .equal: left.isEqual(to: right)
    case .notEqual: left.isEqual(to: right).map { !$0 }
    case .less: left.isLess(than: right)
    case .greater: right.isLess(than: left)
    case .lessOrEqual: left.isLess(than: right) ? true : left.isEqual(to: right)
    case .greaterOrEqual: right.isLess(than: left) ? true : left.isEqual(to: right)
    }
  }
}

extension Comparand {
  fileprivate func isEqual(to other: Comparand) -> Bool? {
    switch (self, other) {
    case (.nothing, .nothing), (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)): left == right
    case (.container, .container): nil
    default: false
    }
  }

  fileprivate func isLess(than other: Comparand) -> Bool {
    switch (self, other) {
    case (.number(let left), .number(let right)): left < right
    case (.string(let left), .string(let right)): left.lexicographicallyPrecedes(right)
    default: false
    }
  }
}

/// A member's name as a range of the text; names that are equal without escapes are equal.
private struct MemberName: Hashable {
  private let text: ByteView
  private let isEscaped: Bool
  var length: Int { text.count }

  init(_ cursor: ChildCursor) {
    text = ByteView(cursor.scanner.text.base + cursor.nameSpan.start, count: cursor.nameSpan.count)
    isEscaped = cursor.nameSpan.isEscaped
  }

  static func == (left: MemberName, right: MemberName) -> Bool {
    if left.isEscaped || right.isEscaped { return left.unescaped == right.unescaped }
    return left.length == right.length && left.text.matches(0, right.text)
  }

  func hash(into hasher: inout Hasher) {
    if isEscaped {
      unescaped.withUnsafeBytes { hasher.combine(bytes: $0) }
    } else {
      hasher.combine(bytes: UnsafeRawBufferPointer(start: text.base, count: text.count))
    }
  }

  private var unescaped: [UInt8] { text.unescaped(0..<text.count) }
}
