extension QueryExpression.Arithmetic {
  /// Calculates like SQLite: nil if an operand is nil, for a division by zero and for NaN. An integer result that
  /// exceeds 64 bits becomes a floating-point number.
  func callAsFunction(_ left: StoredValue, _ right: StoredValue) -> StoredValue {
    if case (.integer(let left), .integer(let right)) = (left, right) { return whole(left, right) }
    return floating(left, right)
  }

  private func whole(_ left: Int64, _ right: Int64) -> StoredValue {
    let (value, overflow): (Int64, Bool)
    switch self {
    case .add: (value, overflow) = left.addingReportingOverflow(right)
    case .subtract: (value, overflow) = left.subtractingReportingOverflow(right)
    case .multiply: (value, overflow) = left.multipliedReportingOverflow(by: right)
    case .divide:
      if right == 0 { return .null }
      (value, overflow) = left.dividedReportingOverflow(by: right)
    case .remainder:
      if right == 0 { return .null }
      return .integer(right == -1 ? 0 : left % right)
    }
    return overflow ? floating(.integer(left), .integer(right)) : .integer(value)
  }

  private func floating(_ left: StoredValue, _ right: StoredValue) -> StoredValue {
    guard let first = left.number, let second = right.number else { return .null }
    let value: Double
    switch self {
    case .add: value = first + second
    case .subtract: value = first - second
    case .multiply: value = first * second
    case .divide:
      if second == 0 { return .null }
      value = first / second
    case .remainder:
      // Applied to both operands without their fractions. Integers keep all of their digits.
      guard let left = left.truncated, let right = right.truncated, case .integer(let rest) = whole(left, right) else {
        return .null
      }
      value = Double(rest)
    }
    return value.isNaN ? .null : .real(value)
  }
}

extension StoredValue {
  fileprivate var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    default: nil
    }
  }

  /// The value without its fraction, clamped to 64 bits.
  fileprivate var truncated: Int64? {
    switch self {
    case .integer(let value): return value
    case .real(let value):
      if value <= -0x1p63 { return .min }
      return value >= 0x1p63 ? .max : Int64(value)
    default: return nil
    }
  }
}
