extension ByteView {
  /// Returns the index after the number at `start`, whose first byte can be anything.
  @inline(never)
  func skipNumber(_ start: Int) -> Int {
    var index = start
    if self[index] == 0x2D { index &+= 1 }
    guard index < count, isDigit(index) else { return ~index }
    if self[index] == 0x30 { index &+= 1 } else { index = skipDigits(index) }
    if index < count, self[index] == 0x2E {
      index &+= 1
      guard index < count, isDigit(index) else { return ~index }
      index = skipDigits(index)
    }
    if index < count, self[index] | 0x20 == 0x65 {
      index &+= 1
      if index < count, self[index] == 0x2B || self[index] == 0x2D { index &+= 1 }
      guard index < count, isDigit(index) else { return ~index }
      index = skipDigits(index)
    }
    return index
  }

  /// Returns the index after `true`, `false` or `null`.
  @inline(__always)
  func skipLiteral(_ index: Int) -> Int {
    if index &+ 4 <= count {
      let word = load4(index)
      if word == LiteralWord.null || word == LiteralWord.true { return index &+ 4 }
      if word == LiteralWord.fals, index &+ 5 <= count, self[index &+ 4] == 0x65 { return index &+ 5 }
    }
    return ~firstWrongByte(ofLiteralAt: index)
  }

  /// Returns where a text stops being a literal, or its first byte if it is not one at all.
  @inline(never)
  private func firstWrongByte(ofLiteralAt start: Int) -> Int {
    for literal in ["true", "false", "null"] as [StaticString] where literal.utf8Start[0] == self[start] {
      var length = 1
      while length < literal.utf8CodeUnitCount, start &+ length < count,
        self[start &+ length] == literal.utf8Start[length]
      {
        length &+= 1
      }
      return start &+ length
    }
    return start
  }

  /// Returns the index after the string, number or literal at `index`.
  @inline(__always)
  func skipScalar(_ index: Int) -> Int {
    let byte = self[index]
    if byte == 0x22 { return skipString(index &+ 1) }
    if byte &- 0x30 < 10 || byte == 0x2D { return skipNumber(index) }
    return skipLiteral(index)
  }

  @inline(__always)
  private func skipDigits(_ start: Int) -> Int {
    var index = start
    while index &+ 8 <= count {
      let digits = leadingDigits(load8(index))
      index &+= digits
      if digits < 8 { return index }
    }
    while index < count, isDigit(index) { index &+= 1 }
    return index
  }

  /// How many of eight bytes are digits, from the first one on.
  @inline(__always)
  private func leadingDigits(_ word: UInt64) -> Int {
    let values = word ^ 0x3030_3030_3030_3030
    let others = (values &+ 0x7676_7676_7676_7676 | values) & 0x8080_8080_8080_8080
    return others.trailingZeroBitCount >> 3
  }
}

/// The first four bytes of the literals, as `ByteView.load4` reads them.
enum LiteralWord {
  static let null: UInt32 = 0x6C6C_756E
  static let `true`: UInt32 = 0x6575_7274
  static let fals: UInt32 = 0x736C_6166
}
