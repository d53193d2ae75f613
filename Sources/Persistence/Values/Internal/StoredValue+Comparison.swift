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
    case (.real(let left), .integer(let right)): order(right, left).flatMap { ComparisonResult(rawValue: -$0.rawValue) }
    case (.text(var left), .text(var right)):
      left.withUTF8 { left in right.withUTF8 { order(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer($0)) } }
    case (.blob(let left), .blob(let right)):
      left.withUnsafeBytes { left in right.withUnsafeBytes { order(left, $0) } }
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

  /// For UTF-8, the order of the bytes is also that of the Unicode scalars.
  private func order(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> ComparisonResult {
    let common = min(left.count, right.count)
    if common > 0, let first = left.baseAddress, let second = right.baseAddress {
      let result = memcmp(first, second, common)
      if result != 0 { return order(result, 0) }
    }
    return order(left.count, right.count)
  }
}
