/// A set of Unicode scalars as an expression specifies it.
struct ScalarClass: Hashable {
  var ranges: [ClosedRange<UInt32>] = []
  /// General categories, one bit each; see ``UnicodeCategories``.
  var categories: UInt32 = 0
  var isNegated = false

  init() {}

  init(_ scalar: UInt32) { ranges = [scalar...scalar] }

  /// `.`: everything except the two line ends.
  static let any: ScalarClass = {
    var set = ScalarClass()
    set.ranges = [0x0A...0x0A, 0x0D...0x0D]
    set.isNegated = true
    return set
  }()
}

/// The same set optimized for membership tests: a bit for each ASCII character, and sorted ranges for the others.
struct ScalarSet {
  private var ascii = SIMD2<UInt64>()
  private var ranges: [ClosedRange<UInt32>] = []
  private let categories: UInt32
  private let isNegated: Bool

  init(_ written: ScalarClass) {
    categories = written.categories
    isNegated = written.isNegated
    for range in written.ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = ranges.last, range.lowerBound <= last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        ranges.append(range)
      }
    }
    for scalar in 0..<UInt32(128) where contains(scalar) { ascii[Int(scalar >> 6)] |= 1 << UInt64(scalar & 63) }
  }

  @inline(__always)
  func containsASCII(_ scalar: UInt32) -> Bool { ascii[Int(scalar >> 6)] >> UInt64(scalar & 63) & 1 == 1 }

  func contains(_ scalar: UInt32) -> Bool {
    (isListed(scalar) || categories != 0 && categories & UnicodeCategories.bit(of: scalar) != 0) != isNegated
  }

  private func isListed(_ scalar: UInt32) -> Bool {
    !ranges.isEmpty && ranges[ranges.lastIndex(whileTrue: { $0.lowerBound <= scalar })].contains(scalar)
  }
}
