/// Comparing values with literals in place, which is the common filter; nothing is copied.
extension PathEvaluator {
  /// - Parameter node: Nil if a query selected nothing, which is unequal to every literal.
  mutating func compare(
    _ node: PathNode?, _ comparison: Comparison, _ literal: Literal
  ) throws(EvaluationError) -> Bool {
    guard let node else { return comparison == .notEqual }
    switch (literal, try kind(of: node)) {
    case (.string(let string), .string) where comparison == .equal || comparison == .notEqual:
      let isEqual = string.utf8.withUnsafeBytes { scanner.isString(node.offset, ByteView($0)) }
      guard scanner.core.pointee.fault < 0 else { throw .malformed }
      try meter.spend(scanner.core.pointee.lastEnd &- node.offset)
      return isEqual == (comparison == .equal)
    case (.number(let number), .number):
      var end = 0
      let value = scanner.text.double(node.offset, &end)
      guard end >= 0 else {
        scanner.setFault(~end)
        throw .malformed
      }
      try meter.spend(end &- node.offset)
      // Rounding preserves the order: if the doubles differ, so do the numbers. Otherwise the digits are compared.
      if value == number.rounded { break }
      scanner.took(node.offset, end)
      return comparison.holds(isLess: value < number.rounded)
    case (.bool(let bool), .boolean):
      guard scanner.boolean(UInt32(truncatingIfNeeded: node.offset)) != nil else { break }
      return comparison.holds(.bool(scanner.text[node.offset] == 0x74), .bool(bool)) ?? false
    case (.null, .null): return comparison.holds(.null, .null) ?? false
    case (.string, .string): break
    default: return comparison == .notEqual
    }
    return try compare(comparand(of: node), comparison, Comparand(literal))
  }
}

extension Comparison {
  /// The same comparison with its sides swapped.
  var mirrored: Comparison {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }

  /// Whether the comparison holds between two values of which one is less than the other.
  fileprivate func holds(isLess: Bool) -> Bool {
    switch self {
    case .equal: false
    case .notEqual: true
    case .less, .lessOrEqual: isLess
    case .greater, .greaterOrEqual: !isLess
    }
  }
}

extension JSONScanner {
  /// Whether the value is a string that equals `other` after unescaping.
  fileprivate func isString(_ value: Int, _ other: ByteView) -> Bool {
    guard text[value] == 0x22 else { return false }
    var isEscaped = false
    var isWide = false
    let end = text.skipString(value &+ 1, &isEscaped, &isWide)
    if end < 0 {
      setFault(~end)
      return false
    }
    took(value, end)
    guard isEscaped else { return end &- value &- 2 == other.count && text.matches(value &+ 1, other) }
    let length = unescape(value &+ 1)
    if length < 0 { _ = passUnreadable() }
    return length == other.count && ByteView(core.pointee.scratch, count: length).matches(0, other)
  }
}
