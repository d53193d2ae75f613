/// The structure of 64 bytes of text: a bit for each bracket and comma outside strings.
struct StructureBlock {
  private(set) var opens: UInt64 = 0
  private(set) var closes: UInt64 = 0
  let commas: UInt64

  /// - Parameters:
  ///   - inString: All ones if the block begins inside a string, otherwise zero; updated for the next block.
  ///   - escaped: One if the last byte before the block was a backslash that escapes the next; updated likewise.
  @inline(__always)
  init(_ text: ByteView, at index: Int, inString: inout UInt64, escaped: inout UInt64) {
    let a = text.load16(index)
    let b = text.load16(index &+ 16)
    let c = text.load16(index &+ 32)
    let d = text.load16(index &+ 48)
    let escapes = escapedBytes(a, b, c, d, &escaped)
    let string = prefixXor(mask(a, b, c, d, lanes(of: 0x22)) & ~escapes) ^ inString
    inString = UInt64(bitPattern: Int64(bitPattern: string) >> 63)
    commas = mask(a, b, c, d, lanes(of: 0x2C)) & ~string

    // Setting bit 5 folds [ into { and ] into }.
    let space = lanes(of: 0x20)
    let (e, f, g, h) = (a | space, b | space, c | space, d | space)
    let (open, close) = (lanes(of: 0x7B), lanes(of: 0x7D))
    let opening = (e .== open) .| (f .== open) .| (g .== open) .| (h .== open)
    let closing = (e .== close) .| (f .== close) .| (g .== close) .| (h .== close)
    let any = words(opening .| closing)
    guard any[0] | any[1] != 0 else { return }
    opens = mask(e, f, g, h, open) & ~string
    closes = mask(e, f, g, h, close) & ~string
  }
}

/// Returns the bytes that an odd run of backslashes escapes; `carry` passes from block to block.
@inline(__always)
func escapedBytes(
  _ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>, _ c: SIMD16<UInt8>, _ d: SIMD16<UInt8>, _ carry: inout UInt64
) -> UInt64 {
  let backslash = lanes(of: 0x5C)
  let any = words((a .== backslash) .| (b .== backslash) .| (c .== backslash) .| (d .== backslash))
  guard any[0] | any[1] != 0 else {
    defer { carry = 0 }
    return carry
  }
  let backslashes = mask(a, b, c, d, backslash) & ~carry
  let follows = backslashes << 1 | carry
  let even: UInt64 = 0x5555_5555_5555_5555
  let (sequences, overflow) = (backslashes & ~even & ~follows).addingReportingOverflow(backslashes)
  carry = overflow ? 1 : 0
  return (even ^ (sequences << 1)) & follows
}

@inline(__always)
func mask(
  _ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>, _ c: SIMD16<UInt8>, _ d: SIMD16<UInt8>, _ value: SIMD16<UInt8>
) -> UInt64 {
  bits(a .== value) | bits(b .== value) << 16 | bits(c .== value) << 32 | bits(d .== value) << 48
}

/// Replaces each bit with the parity of the bits up to it, which is one between an opening and a closing quote.
@inline(__always)
func prefixXor(_ bits: UInt64) -> UInt64 {
  var sum = bits
  sum ^= sum << 1
  sum ^= sum << 2
  sum ^= sum << 4
  sum ^= sum << 8
  sum ^= sum << 16
  sum ^= sum << 32
  return sum
}

/// The progress of a structural skip between two blocks or chunks.
struct StructureProgress {
  /// The number of open containers.
  var depth: Int
  /// All ones inside a string, otherwise zero.
  var inString: UInt64 = 0
  /// One if the last byte was a backslash that escapes the next.
  var escaped: UInt64 = 0
}
