extension ByteView {
  /// Returns the double nearest to the number at `start`: infinite if it is too large, zero if it is too small.
  ///
  /// `end` is set to the index after the number, or to `~offset` if the text is not a number. The methods are Clinger's
  /// exact cases, then Eisel–Lemire, then the C library. The result is always correctly rounded.
  @inline(__always)
  func double(_ start: Int, _ end: inout Int) -> Double {
    var index = start
    let isNegative = self[index] == 0x2D
    if isNegative { index &+= 1 }
    guard index < count, isDigit(index) else {
      end = ~index
      return 0
    }
    let digits = index
    var significand: UInt64 = 0
    if self[index] == 0x30 {
      index &+= 1
    } else {
      repeat {
        significand = significand &* 10 &+ UInt64(self[index] &- 0x30)
        index &+= 1
      } while index < count && isDigit(index)
    }
    var digitCount = index &- digits
    var exponent = 0
    if index < count, self[index] == 0x2E {
      index &+= 1
      let fraction = index
      while index &+ 8 <= count {
        let word = load8(index)
        guard isEightDigits(word) else { break }
        significand = significand &* 100_000_000 &+ eightDigits(word)
        index &+= 8
      }
      if index &+ 4 <= count {
        let word = load4(index)
        if isFourDigits(word) {
          significand = significand &* 10_000 &+ fourDigits(word)
          index &+= 4
        }
      }
      while index < count, isDigit(index) {
        significand = significand &* 10 &+ UInt64(self[index] &- 0x30)
        index &+= 1
      }
      guard index > fraction else {
        end = ~index
        return 0
      }
      exponent = fraction &- index
      digitCount &+= index &- fraction
    }
    if index < count, self[index] | 0x20 == 0x65 {
      let stop = skipNumber(start)
      guard stop >= 0 else {
        end = stop
        return 0
      }
      exponent &+= decimalExponent(index &+ 1, stop)
      index = stop
    }
    end = index
    if digitCount > 19 { return longDouble(start, index) }
    if exponent >= -22 && exponent <= 22 && significand <= 1 << 53 {
      let value = Double(significand)
      let result = exponent < 0 ? value / powerOfTen(-exponent) : value * powerOfTen(exponent)
      return isNegative ? -result : result
    }
    guard let bits = eiselLemire(significand, exponent) else { return libraryDouble(start, index) }
    return Double(bitPattern: bits | (isNegative ? 1 << 63 : 0))
  }

  /// Whether all digits of a number before its exponent are 0.
  func isZero(_ start: Int, _ end: Int) -> Bool {
    for byte in buffer(start, end) where byte > ASCII.zero {
      return !ASCII.isDigit(byte)  // an exponent
    }
    return true
  }

  /// For more than 19 digits: uses the first 19 significant ones if they and the next higher number round to the same
  /// double.
  @inline(never)
  private func longDouble(_ start: Int, _ end: Int) -> Double {
    var significand: UInt64 = 0
    var significant = 0
    var exponent = 0
    var isFraction = false
    var isCut = false
    let isNegative = self[start] == 0x2D
    var index = isNegative ? start &+ 1 : start
    while index < end {
      let byte = self[index]
      if byte == 0x2E {
        isFraction = true
      } else if byte | 0x20 == 0x65 {
        exponent &+= decimalExponent(index &+ 1, end)
        break
      } else if significant < 19 {
        if significant > 0 || byte != 0x30 {
          significand = significand &* 10 &+ UInt64(byte &- 0x30)
          significant &+= 1
        }
        if isFraction { exponent &-= 1 }
      } else {
        if byte != 0x30 { isCut = true }
        if !isFraction { exponent &+= 1 }
      }
      index &+= 1
    }
    guard let bits = eiselLemire(significand, exponent) else { return libraryDouble(start, end) }
    if isCut, eiselLemire(significand &+ 1, exponent) != bits { return libraryDouble(start, end) }
    return Double(bitPattern: bits | (isNegative ? 1 << 63 : 0))
  }

  /// Converts the number with the C library, through a terminated copy.
  @inline(never)
  private func libraryDouble(_ start: Int, _ end: Int) -> Double { Double(text(start, end)) ?? .infinity }
}

/// Returns 10^power for powers up to 22, all exact.
@inline(__always)
private func powerOfTen(_ power: Int) -> Double { exactPowers.values[power] }

private let exactPowers = ExactPowersOfTen()

/// `@unchecked Sendable`: written once, before it is published, and never freed.
private struct ExactPowersOfTen: @unchecked Sendable {
  let values: UnsafePointer<Double>

  init() {
    let table = UnsafeMutablePointer<Double>.allocate(capacity: 23)
    var value = 1.0
    for power in 0...22 {
      (table + power).initialize(to: value)
      value *= 10
    }
    values = UnsafePointer(table)
  }
}

@inline(__always)
private func isEightDigits(_ word: UInt64) -> Bool {
  let high = (word & 0xF0F0_F0F0_F0F0_F0F0) | (((word &+ 0x0606_0606_0606_0606) & 0xF0F0_F0F0_F0F0_F0F0) >> 4)
  return high == 0x3333_3333_3333_3333
}

/// Returns the number written by eight digits, combining pairs, then fours, then all.
@inline(__always)
private func eightDigits(_ word: UInt64) -> UInt64 {
  var pairs = word &- 0x3030_3030_3030_3030
  pairs = (pairs &* 10) &+ (pairs >> 8)
  let low = (pairs & 0x0000_00FF_0000_00FF) &* 0x000F_4240_0000_0064
  let high = ((pairs >> 16) & 0x0000_00FF_0000_00FF) &* 0x0000_2710_0000_0001
  return (low &+ high) >> 32
}

@inline(__always)
private func isFourDigits(_ word: UInt32) -> Bool {
  let high = (word & 0xF0F0_F0F0) | (((word &+ 0x0606_0606) & 0xF0F0_F0F0) >> 4)
  return high == 0x3333_3333
}

/// Returns the number written by four digits, combining pairs, then both.
@inline(__always)
private func fourDigits(_ word: UInt32) -> UInt64 {
  var pairs = word &- 0x3030_3030
  pairs = (pairs &* 10) &+ (pairs >> 8)
  return UInt64((pairs & 0xFF) &* 100 &+ (pairs >> 16 & 0xFF))
}
