extension ByteView {
  /// Returns the magnitude of the number at `start` if it is an integer below 2^64; otherwise nil.
  ///
  /// `end` is set to the index after the number, or to `~offset` if the text is not a number.
  @inline(__always)
  func integer(_ start: Int, _ isNegative: inout Bool, _ end: inout Int) -> UInt64? {
    var index = start
    if self[index] == 0x2D {
      isNegative = true
      index &+= 1
    }
    guard index < count, isDigit(index) else {
      end = ~index
      return nil
    }
    let digits = index
    var magnitude: UInt64 = 0
    if self[index] == 0x30 {
      index &+= 1
    } else {
      repeat {
        magnitude = magnitude &* 10 &+ UInt64(self[index] &- 0x30)
        index &+= 1
      } while index < count && isDigit(index)
    }
    if index &- digits <= 18 {
      guard index < count, self[index] == 0x2E || self[index] | 0x20 == 0x65 else {
        end = index
        return magnitude
      }
    }
    end = skipNumber(start)
    return end < 0 ? nil : exactInteger(start, end, as: UInt64.self)
  }

  /// Returns the magnitude of the well-formed number in a range if it is an integer that fits: `12.0`, `1e3` and
  /// `9223372036854775807.0` are integers, `1.5` is not.
  @inline(never)
  func exactInteger<Magnitude: FixedWidthInteger & UnsignedInteger>(
    _ start: Int, _ end: Int, as _: Magnitude.Type
  ) -> Magnitude? {
    var magnitude: Magnitude = 0
    var zeros = 0  // not added yet, so that many zeros after the decimal point do not overflow
    var fractionDigits = 0
    var isFraction = false
    var index = self[start] == 0x2D ? start &+ 1 : start
    scan: while index < end {
      let byte = self[index]
      switch byte {
      case 0x2E: isFraction = true
      case 0x45, 0x65: break scan
      default:
        if isFraction { fractionDigits &+= 1 }
        if byte == 0x30 {
          if magnitude != 0 { zeros &+= 1 }
        } else {
          guard let shifted = magnitude.timesPowerOfTen(zeros &+ 1) else { return nil }
          let (sum, overflow) = shifted.addingReportingOverflow(Magnitude(byte &- 0x30))
          if overflow { return nil }
          magnitude = sum
          zeros = 0
        }
      }
      index &+= 1
    }
    if magnitude == 0 { return 0 }
    let exponent = zeros &- fractionDigits &+ (index < end ? decimalExponent(index &+ 1, end) : 0)
    return exponent < 0 ? nil : magnitude.timesPowerOfTen(exponent)
  }

  /// Returns the well-formed number in a range if it is an integer that fits.
  func wideInteger<Integer: FixedWidthInteger>(_ start: Int, _ end: Int, as _: Integer.Type = Integer.self) -> Integer?
  {
    guard let magnitude = exactInteger(start, end, as: UInt128.self) else { return nil }
    guard self[start] == ASCII.minus else { return Integer(exactly: magnitude) }
    return magnitude <= UInt128(1) << 127 ? Integer(exactly: 0 &- Int128(truncatingIfNeeded: magnitude)) : nil
  }

  /// Returns the exponent written in a range, at most one billion.
  func decimalExponent(_ start: Int, _ end: Int) -> Int {
    var index = start
    let isNegative = self[index] == 0x2D
    if isNegative || self[index] == 0x2B { index &+= 1 }
    var exponent = 0
    while index < end {
      if exponent < 100_000_000 { exponent = exponent &* 10 &+ Int(self[index] &- 0x30) }
      index &+= 1
    }
    return isNegative ? -exponent : exponent
  }
}

extension FixedWidthInteger {
  fileprivate func timesPowerOfTen(_ power: Int) -> Self? {
    guard self != 0 else { return 0 }
    guard power <= 39 else { return nil }  // 10^39 does not fit in 128 bits
    var value = self
    for _ in 0..<power {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      if overflow { return nil }
      value = product
    }
    return value
  }
}
