extension JSONScanner {
  @inline(__always)
  func isNull(_ value: UInt32) -> Bool {
    if value == absentValue { return true }
    let start = Int(value)
    guard text[start] == 0x6E, start &+ 4 <= text.count, text.load4(start) == LiteralWord.null else { return false }
    took(start, start &+ 4)
    return true
  }

  @inline(__always)
  func boolean(_ value: UInt32) -> Bool? {
    let start = Int(value)
    guard value != absentValue, start &+ 4 <= text.count else { return nil }
    let word = text.load4(start)
    if word == LiteralWord.true {
      took(start, start &+ 4)
      return true
    }
    if word == LiteralWord.fals, start &+ 5 <= text.count, text[start &+ 4] == 0x65 {
      took(start, start &+ 5)
      return false
    }
    return nil
  }

  /// Returns the integer at `value`; nil if it is not one, does not fit, or a fault was recorded.
  @inline(__always)
  func integer<Integer: FixedWidthInteger>(_ value: UInt32, as _: Integer.Type) -> Integer? {
    let (magnitude, isNegative, isInteger) = integer(value)
    guard isInteger else { return nil }
    if isNegative {
      return magnitude <= 1 << 63 ? Integer(exactly: 0 &- Int64(truncatingIfNeeded: magnitude)) : nil
    }
    return Integer(exactly: magnitude)
  }

  @inline(never)
  private func integer(_ value: UInt32) -> (magnitude: UInt64, isNegative: Bool, isInteger: Bool) {
    guard value != absentValue, text.startsNumber(Int(value)) else { return (0, false, false) }
    var isNegative = false
    var end = 0
    let magnitude = text.integer(Int(value), &isNegative, &end)
    if end < 0 {
      setFault(~end)
      return (0, false, false)
    }
    guard let magnitude else { return (0, false, false) }
    took(Int(value), end)
    return (magnitude, isNegative, true)
  }

  /// Returns the integer of 128 bits at `value`.
  @inline(never)
  func wideInteger<Integer: FixedWidthInteger>(_ value: UInt32, as _: Integer.Type) -> Integer? {
    guard let end = numberEnd(value) else { return nil }
    guard let result = text.wideInteger(Int(value), end, as: Integer.self) else { return nil }
    took(Int(value), end)
    return result
  }

  /// Returns the number nearest to that at `value`; nil if it is not a number, or too large or small for a `Double`.
  @inline(never)
  func double(_ value: UInt32) -> Double? {
    guard value != absentValue, text.startsNumber(Int(value)) else { return nil }
    var end = 0
    let number = text.double(Int(value), &end)
    if end < 0 {
      setFault(~end)
      return nil
    }
    guard number.isFinite, number != 0 || text.isZero(Int(value), end) else { return nil }
    took(Int(value), end)
    return number
  }

  @inline(never)
  func float(_ value: UInt32) -> Float? {
    guard let number = double(value) else { return nil }
    // Halfway between two floats, or subnormal: rounding twice could be wrong, so the text is parsed again.
    let isHalfway = number.bitPattern & 0x1FFF_FFFF == 0x1000_0000
    let result =
      isHalfway || number.magnitude < 1.2e-38 ? Float(text.text(Int(value), core.pointee.lastEnd)) : Float(number)
    guard let result, result.isFinite, result != 0 || number == 0 else { return nil }
    return result
  }

  /// Returns the index after the number at `value`; nil if it is not a number, or with a fault recorded.
  func numberEnd(_ value: UInt32) -> Int? {
    guard value != absentValue, text.startsNumber(Int(value)) else { return nil }
    let end = text.skipNumber(Int(value))
    guard end >= 0 else {
      setFault(~end)
      return nil
    }
    return end
  }
}
