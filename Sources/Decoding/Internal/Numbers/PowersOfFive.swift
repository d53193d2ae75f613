/// The top 128 bits of 5^q for q from -342 to 308, for Eisel–Lemire multiplication.
///
/// The table is computed once, on first use, in about a tenth of a millisecond with plain long arithmetic. The code is
/// shorter than the literal table, and no constants have to be trusted. Positive powers are truncated. So are
/// reciprocals, plus the one unit that the algorithm requires where the reciprocal is used exactly (q ≥ -27). See
/// Lemire, "Number parsing at a gigabyte per second" (2021), §5.
///
/// `@unchecked Sendable`: the words are written before `shared` is published, never again, and never freed.
struct PowersOfFive: @unchecked Sendable {
  static let smallest = -342
  static let largest = 308
  static let shared = PowersOfFive()

  /// Two words per power, the high one first.
  let words: UnsafePointer<UInt64>

  private init() {
    let count = PowersOfFive.largest - PowersOfFive.smallest + 1
    let table = UnsafeMutablePointer<UInt64>.allocate(capacity: 2 * count)
    table.initialize(repeating: 0, count: 2 * count)
    func store(_ power: Int, _ top: (high: UInt64, low: UInt64)) {
      table[2 * (power - PowersOfFive.smallest)] = top.high
      table[2 * (power - PowersOfFive.smallest) + 1] = top.low
    }

    var number = LongNumber(words: [1])
    for power in 0...PowersOfFive.largest {
      store(power, number.top128)
      number.multiply(by: 5)
    }

    // floor(floor(x / 5^k) / 5) is floor(x / 5^(k+1)), so dividing a large power of two repeatedly by five is exact.
    var reciprocal = LongNumber(words: Array(repeating: 0, count: 15) + [1])
    for power in 1...(-PowersOfFive.smallest) {
      reciprocal.divide(by: 5)
      var top = reciprocal.top128
      if power <= 27 {
        top.low &+= 1
        if top.low == 0 { top.high &+= 1 }
      }
      store(-power, top)
    }
    words = UnsafePointer(table)
  }
}

/// A number of many words, lowest first and the last one nonzero, with only the operations that the table needs.
private struct LongNumber {
  var words: [UInt64]

  mutating func multiply(by factor: UInt64) {
    var carry: UInt64 = 0
    for index in words.indices {
      let product = words[index].multipliedFullWidth(by: factor)
      let (sum, overflow) = product.low.addingReportingOverflow(carry)
      words[index] = sum
      carry = product.high + (overflow ? 1 : 0)
    }
    if carry != 0 { words.append(carry) }
  }

  mutating func divide(by divisor: UInt64) {
    var remainder: UInt64 = 0
    for index in words.indices.reversed() {
      let (quotient, rest) = divisor.dividingFullWidth((remainder, words[index]))
      words[index] = quotient
      remainder = rest
    }
    if words.last == 0 { words.removeLast() }
  }

  /// The highest 128 bits; the first of them is one.
  var top128: (high: UInt64, low: UInt64) {
    let first = words.count - 1
    let shift = UInt64(words[first].leadingZeroBitCount)
    func word(_ index: Int) -> UInt64 { index >= 0 ? words[index] : 0 }
    func shifted(_ index: Int) -> UInt64 { word(index) << shift | (shift == 0 ? 0 : word(index - 1) >> (64 - shift)) }
    return (shifted(first), shifted(first - 1))
  }
}
