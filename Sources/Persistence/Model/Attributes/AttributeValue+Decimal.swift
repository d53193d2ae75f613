public import Foundation

extension Decimal: AttributeValue {
  /// Text. The store keeps a decimal in two columns: its digits in the attribute's own column, and its sort key in a
  /// column whose name has the prefix `_sort_`. Sort keys, compared byte by byte, have the same order as the numbers,
  /// so comparisons and sorting are exact. Fetches read the number from the sort key.
  public static var storageClass: StorageClass { .text }

  /// Creates a decimal from the text that ``stored`` returns, or from plain digits such as `-12.5`.
  public init?(stored: StoredValue) {
    guard case .text(let text) = stored, let value = SortableDecimal.value(of: text) else { return nil }
    self = value
  }

  /// The decimal's sort key. The sort key of zero is `=`. The sort key of a positive number consists of `>`, the
  /// exponent plus 5000, a point and the digits: `>5003.125` represents 125, which is 0.125 × 10³. The sort key of a
  /// negative number begins with `<`. NaN cannot be stored.
  public var stored: StoredValue {
    isNaN ? .unstorable("NaN cannot be stored") : .text(SortableDecimal.text(of: self))
  }

  /// True, because the sort keys have the same order as the numbers.
  public static var isStoredInOrder: Bool { true }

  /// True, because the digits, stored as text, would not sort in numerical order.
  public static var _isSortKeyed: Bool { true }
}
