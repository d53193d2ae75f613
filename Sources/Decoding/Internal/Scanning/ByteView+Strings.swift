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
        index = skipEscape(index)
        if index < 0 { return index }
      default: return ~index
      }
    }
  }

  /// Finds the closing quote without validating escapes or UTF-8; `escaped` is set if there is a backslash.
  @inline(__always)
  func stringEnd(_ start: Int, _ escaped: inout Bool) -> Int {
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
      if byte == 0x22 { return index }
      if byte == 0x5C {
        escaped = true
        index &+= 2
      } else if byte < 0x20 {
        return ~index
      } else {
        index &+= 1
      }
    }
  }

  /// Like `stringEnd`, but also validates UTF-8; `wide` is set if there is a non-ASCII character.
  @inline(__always)
  func validStringEnd(_ start: Int, _ escaped: inout Bool, _ wide: inout Bool) -> Int {
    var index = start
    while true {
      index = skipText(index, &wide)
      if index < 0 { return index }
      switch self[index] {
      case 0x22: return index
      case 0x5C:
        escaped = true
        index &+= 2
      default: return ~index
      }
    }
  }

  /// Returns the index after the escape sequence whose backslash is at `index`, or `~index`.
  @inline(__always)
  func skipEscape(_ index: Int) -> Int {
    guard index &+ 1 < count else { return ~index }
    switch self[index &+ 1] {
    case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74: return index &+ 2
    case 0x75:
      guard index &+ 6 <= count, isHex(self[index &+ 2]), isHex(self[index &+ 3]), isHex(self[index &+ 4]),
        isHex(self[index &+ 5])
      else { return ~index }
      return index &+ 6
    default: return ~index
    }
  }

  /// Returns the value of the four hexadecimal digits at `index`, or -1.
  func hex4(_ index: Int) -> Int {
    guard index &+ 4 <= count else { return -1 }
    var value = 0
    for offset in index..<(index &+ 4) {
      let byte = self[offset]
      guard isHex(byte) else { return -1 }
      value = value << 4 | Int(byte <= 0x39 ? byte &- 0x30 : (byte | 0x20) &- 0x57)
    }
    return value
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

@inline(__always)
func isHex(_ byte: UInt8) -> Bool {
  (byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66)
}
