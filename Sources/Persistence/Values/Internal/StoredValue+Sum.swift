internal import Foundation

extension StoredValue {
  /// Returns the sum of two numbers of the same kind, or nil if it has no stored form.
  func adding(_ other: StoredValue) -> StoredValue? {
    switch (self, other) {
    case (.integer(let left), .integer(let right)):
      let (sum, isTooLarge) = left.addingReportingOverflow(right)
      return isTooLarge ? nil : .integer(sum)
    case (.real(let left), .real(let right)):
      return (left + right).isNaN ? nil : .real(left + right)
    case (.text(let first), .text(let second)):
      guard let left = SortableDecimal.value(of: first), let right = SortableDecimal.value(of: second) else {
        return nil
      }
      let sum = left + right
      return sum.isNaN ? nil : .text(SortableDecimal.text(of: sum))
    default: return nil
    }
  }
}

extension InvalidValue {
  static let overflow = "the sum is outside the attribute's range"
}
