/// Returns the bits of the double nearest to `significand × 10^power`, ties to even, or nil if 128 bits cannot decide.
///
/// The result is zero below the smallest subnormal and infinity above the largest number. See Lemire, "Number parsing
/// at a gigabyte per second", Software: Practice and Experience 51 (2021).
@inline(__always)
func eiselLemire(_ significand: UInt64, _ power: Int) -> UInt64? {
  let infinity: UInt64 = 0x7FF << 52
  if significand == 0 || power < PowersOfFive.smallest { return 0 }
  if power > PowersOfFive.largest { return infinity }
  let powers = PowersOfFive.shared.words
  let shift = significand.leadingZeroBitCount
  let normalized = significand << UInt64(shift)
  let entry = 2 &* (power &- PowersOfFive.smallest)
  var (high, low) = normalized.multipliedFullWidth(by: powers[entry])
  if high & 0x1FF == 0x1FF {
    let (second, _) = normalized.multipliedFullWidth(by: powers[entry &+ 1])
    low = low &+ second
    if second > low { high &+= 1 }
  }
  if low == UInt64.max && (power < -27 || power > 55) { return nil }
  let up = Int(high >> 63)
  var mantissa = high >> UInt64(up &+ 9)
  // 217706 / 2^16 is log2(10): the binary exponent of 10^power.
  var exponent = ((217_706 &* power) >> 16) &+ 63 &+ up &- shift &+ 1023
  if exponent <= 0 {
    if 1 &- exponent >= 64 { return 0 }
    mantissa >>= UInt64(1 &- exponent)
    mantissa &+= mantissa & 1
    mantissa >>= 1
    return (mantissa < (1 << 52) ? 0 : 1 << 52) | (mantissa & ~(1 << 52))
  }
  if low <= 1 && power >= -4 && power <= 23 && mantissa & 3 == 1 && (mantissa << UInt64(up &+ 9)) == high {
    mantissa &= ~1  // halfway exactly: to even
  }
  mantissa &+= mantissa & 1
  mantissa >>= 1
  if mantissa >= (2 << 52) {
    mantissa = 1 << 52
    exponent &+= 1
  }
  mantissa &= ~(1 << 52)
  return exponent >= 0x7FF ? infinity : (UInt64(exponent) << 52) | mantissa
}
