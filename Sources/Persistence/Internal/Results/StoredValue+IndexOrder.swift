internal import Foundation

extension StoredValue {
  /// The order in which SQLite sorts: nil, then numbers, then text, then bytes. Negative, zero or positive.
  func order(inIndexWith other: StoredValue) -> Int {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): return left < right ? -1 : left > right ? 1 : 0
    // NaN is never stored.
    case (.real(let left), .real(let right)): return left < right ? -1 : left > right ? 1 : 0
    case (.text(var left), .text(var right)):
      return left.withUTF8 { left in
        right.withUTF8 { right in StoredValue.order(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right)) }
      }
    case (.blob(let left), .blob(let right)):
      return left.withUnsafeBytes { left in right.withUnsafeBytes { right in StoredValue.order(left, right) } }
    default:
      let (left, right) = (indexRank, other.indexRank)
      if left != right { return left - right }
      // Numbers of both kinds, and nil.
      return order(to: other)?.rawValue ?? 0
    }
  }

  private var indexRank: Int {
    switch self {
    case .null, .unstorable: 0
    case .integer, .real: 1
    case .text: 2
    case .blob: 3
    }
  }

  private static func order(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    let common = min(left.count, right.count)
    if common > 0, let a = left.baseAddress, let b = right.baseAddress {
      let order = memcmp(a, b, common)
      if order != 0 { return Int(order) }
    }
    return left.count - right.count
  }
}
