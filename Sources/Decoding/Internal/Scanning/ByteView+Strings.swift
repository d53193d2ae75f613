extension ByteView {
  /// Skips a string and validates escapes and UTF-8. `start` is after the opening quote, and the result after the
  /// closing one.
  @inline(__always)
  func skipString(_ start: Int) -> Int {
    var escaped = false
    var wide = false
    return skipString(start, &escaped, &wide)
  }

  /// The same; `escaped` is set if there is a backslash, and `wide` if there is a non-ASCII character.
  @inline(__always)
  func skipString(_ start: Int, _ escaped: inout Bool, _ wide: inout Bool) -> Int {
    let index = plainEnd(start)
    return index < count && self[index] == 0x22 ? index &+ 1 : skipUnusualString(index, &escaped, &wide)
  }

  /// The same for strings that contain more than plain ASCII, or that end in the last bytes of the text.
  @inline(never)
  private func skipUnusualString(_ start: Int, _ escaped: inout Bool, _ wide: inout Bool) -> Int {
    var index = start
    while true {
      index = skipText(index, &wide)
      if index < 0 { return index }
      switch self[index] {
      case 0x22: return index &+ 1
      case 0x5C:
        escaped = true
        let (scalar, end) = escapedScalar(index)
        if scalar < 0 { return ~index }
        index = end
      default: return ~index
      }
    }
  }

  /// Skips a string without validating escapes or UTF-8.
  @inline(__always)
  func skipTrustedString(_ start: Int) -> Int {
    var index = start
    while true {
      while index &+ 16 <= count {
        let block = load16(index)
        let quote = (block .== lanes(of: 0x22)) .| (block .== lanes(of: 0x5C))
        if let lane = firstLane(words(quote .| (block .< lanes(of: 0x20)))) {
          index &+= lane
          break
        }
        index &+= 16
      }
      guard index < count else { return ~count }
      let byte = self[index]
      if byte == 0x22 { return index &+ 1 }
      if byte < 0x20 { return ~index }
      index &+= byte == 0x5C ? 2 : 1
    }
  }

  /// Skips whole blocks without quotes, backslashes, control characters and non-ASCII bytes.
  @inline(__always)
  private func plainEnd(_ start: Int) -> Int {
    var index = start
    while index &+ 16 <= count {
      if let lane = firstUnusual(load16(index)) { return index &+ lane }
      index &+= 16
    }
    return index
  }
}

/// Returns the lane of the first quote, backslash, control character or non-ASCII byte.
@inline(__always)
func firstUnusual(_ block: SIMD16<UInt8>) -> Int? {
  let quote = (block .== lanes(of: 0x22)) .| (block .== lanes(of: 0x5C))
  // One signed comparison finds control characters and every byte from 0x80 on.
  let other = signed(block) .< SIMD16<Int8>(repeating: 0x20)
  return firstLane(words(quote .| other))
}
