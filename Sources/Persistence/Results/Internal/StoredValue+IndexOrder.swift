internal import Foundation

extension StoredValue {
  /// SQLite's sort order: nil, then numbers, then text, then bytes. Negative, zero or positive.
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

  /// A number that is never smaller for a value that is later in this order. It contains the kind and up to 62 bits of
  /// the beginning of the value.
  var indexPrefix: UInt64 {
    switch self {
    case .null, .unstorable: 0
    case .integer(let value): 1 << 62 | StoredValue.prefix(of: Double(value))
    case .real(let value): 1 << 62 | StoredValue.prefix(of: value)
    case .text(var text): 2 << 62 | text.withUTF8 { StoredValue.prefix(of: UnsafeRawBufferPointer($0)) }
    case .blob(let data): 3 << 62 | data.withUnsafeBytes { StoredValue.prefix(of: $0) }
    }
  }

  private static func prefix(of number: Double) -> UInt64 {
    // Positive and negative zero are equal.
    let bits = (number == 0 ? 0 : number).bitPattern
    return (bits >> 63 == 0 ? bits | 1 << 63 : ~bits) >> 2
  }

  private static func prefix(of bytes: UnsafeRawBufferPointer) -> UInt64 {
    var word: UInt64 = 0
    for index in 0..<8 { word = word << 8 | (index < bytes.count ? UInt64(bytes[index]) : 0) }
    return word >> 2
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
