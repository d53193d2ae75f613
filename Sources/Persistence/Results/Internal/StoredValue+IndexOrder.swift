internal import Foundation

extension StoredValue {
  /// SQLite's sort order: nil, then numbers, then text, then bytes. Negative, zero or positive.
  func order(inIndexWith other: StoredValue) -> Int {
    let (left, right) = (indexRank, other.indexRank)
    // NaN is never stored. Nil equals nil.
    return left == right ? order(to: other)?.rawValue ?? 0 : left - right
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
}
