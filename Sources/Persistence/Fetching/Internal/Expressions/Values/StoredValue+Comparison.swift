internal import Foundation

/// Comparisons of values, which have the same results in memory as in SQLite.
extension StoredValue {
  var isNull: Bool { if case .null = self { true } else { false } }

  /// Whether no stored value can equal this one, which is true for NaN and for values without a stored form.
  var isNeverStored: Bool {
    switch self {
    case .real(let value): value.isNaN
    case .unstorable: true
    default: false
    }
  }

  /// Whether both are the same value. An integer equals a floating-point number that represents exactly the same
  /// number.
  func isSame(as other: StoredValue) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    default: order(to: other) == .orderedSame
    }
  }

  /// Nil if there is no order: for nil, NaN, and different kinds that cannot be compared.
  func order(to other: StoredValue) -> ComparisonResult? {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): order(left, right)
    case (.real(let left), .real(let right)): left.isNaN || right.isNaN ? nil : order(left, right)
    case (.integer(let left), .real(let right)): order(left, right)
    case (.real(let left), .integer(let right)): order(right, left)?.reversed
    case (.text(let left), .text(let right)): StoredValue.order(bytes: left, right)
    case (.blob(let left), .blob(let right)): order(left, right)
    default: nil
    }
  }

  private func order<Value: Comparable>(_ left: Value, _ right: Value) -> ComparisonResult {
    left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
  }

  /// Exact, because converting the integer could round it.
  private func order(_ left: Int64, _ right: Double) -> ComparisonResult? {
    if right.isNaN { return nil }
    if right >= 0x1p63 { return .orderedAscending }
    if right < -0x1p63 { return .orderedDescending }
    let whole = Int64(right)
    if left != whole { return order(left, whole) }
    return order(Double(whole), right)
  }

  private func order(_ left: Data, _ right: Data) -> ComparisonResult {
    if left.lexicographicallyPrecedes(right) { return .orderedAscending }
    return left == right ? .orderedSame : .orderedDescending
  }

  /// By UTF-8 bytes, which is also the order of the Unicode scalars.
  private static func order(bytes left: String, _ right: String) -> ComparisonResult {
    if left.utf8.lexicographicallyPrecedes(right.utf8) { return .orderedAscending }
    return left.utf8.elementsEqual(right.utf8) ? .orderedSame : .orderedDescending
  }
}

extension ComparisonResult {
  fileprivate var reversed: ComparisonResult {
    switch self {
    case .orderedAscending: .orderedDescending
    case .orderedSame: .orderedSame
    case .orderedDescending: .orderedAscending
    }
  }
}

extension QueryExpression.Order {
  func holds(_ left: StoredValue, _ right: StoredValue) -> Bool {
    guard let order = left.order(to: right) else { return false }
    return switch self {
    case .less: order == .orderedAscending
    case .lessOrEqual: order != .orderedDescending
    case .greater: order == .orderedDescending
    case .greaterOrEqual: order != .orderedAscending
    }
  }
}
