/// Returns one constant in all sixteen lanes.
///
/// Comparisons must be between two vectors. The overload that accepts a scalar (`vector .== 0x22`) compiles to a loop
/// over the lanes, which is about fifty times slower.
@inline(__always)
func lanes(of byte: UInt8) -> SIMD16<UInt8> { SIMD16(repeating: byte) }

/// Returns a comparison's result as two words, eight bits per lane, all set or all clear.
///
/// The mask type has no public access to its bits. Its only stored property is the vector of sixteen signed bytes, and
/// byte vectors of sixteen lanes all have the size and layout of two 64-bit lanes.
@inline(__always)
func words(_ mask: SIMDMask<SIMD16<Int8>>) -> SIMD2<UInt64> { unsafeBitCast(mask, to: SIMD2<UInt64>.self) }

/// Returns a comparison's result as bytes: -1 if it holds, 0 if it does not.
@inline(__always)
func bytes(_ mask: SIMDMask<SIMD16<Int8>>) -> SIMD16<UInt8> { unsafeBitCast(mask, to: SIMD16<UInt8>.self) }

/// Returns the sum of all lanes.
@inline(__always)
func sum(_ bytes: SIMD16<UInt8>) -> Int {
  let words = unsafeBitCast(bytes, to: SIMD2<UInt64>.self)
  let even: UInt64 = 0x00FF_00FF_00FF_00FF
  // Adjacent bytes are added, which fits into 16 bits, and the product adds up those sums.
  func sum(_ word: UInt64) -> UInt64 {
    (((word & even) &+ ((word >> 8) & even)) &* 0x0001_0001_0001_0001) >> 48
  }
  return Int(sum(words[0]) &+ sum(words[1]))
}

/// The same bytes as signed ones.
@inline(__always)
func signed(_ bytes: SIMD16<UInt8>) -> SIMD16<Int8> { unsafeBitCast(bytes, to: SIMD16<Int8>.self) }

/// Returns the lane of the lowest set byte, or nil if no lane is set.
@inline(__always)
func firstLane(_ words: SIMD2<UInt64>) -> Int? {
  if words[0] != 0 { return words[0].trailingZeroBitCount >> 3 }
  if words[1] != 0 { return 8 &+ words[1].trailingZeroBitCount >> 3 }
  return nil
}

/// Returns one bit per lane: each byte's low bit is multiplied into the top byte.
@inline(__always)
func bits(_ mask: SIMDMask<SIMD16<Int8>>) -> UInt64 {
  let ones = words(mask) & SIMD2<UInt64>(repeating: 0x0101_0101_0101_0101)
  let folded = ones &* SIMD2<UInt64>(repeating: 0x0102_0408_1020_4080)
  return (folded[0] >> 56) | ((folded[1] >> 56) << 8)
}
