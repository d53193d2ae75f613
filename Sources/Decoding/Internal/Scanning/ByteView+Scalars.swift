extension ByteView {
  /// Behind the number at `start`, whose first byte may be anything.
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

  /// Behind `true`, `false` or `null`.
  @inline(__always)
  func skipLiteral(_ index: Int) -> Int {
    if index &+ 4 <= count {
      let word = load4(index)
      if word == LiteralWord.null || word == LiteralWord.true { return index &+ 4 }
      if word == LiteralWord.fals, index &+ 5 <= count, self[index &+ 4] == 0x65 { return index &+ 5 }
    }
    return ~firstWrongByte(ofLiteralAt: index)
  }

  /// Where a text stops being a literal; its first byte where it is none at all.
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

  /// Behind the string, number or literal at `index`.
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
    repeat { index &+= 1 } while index < count && isDigit(index)
    return index
  }
}

/// The literals' first four bytes, as `ByteView.load4` reads them.
enum LiteralWord {
  static let null: UInt32 = 0x6C6C_756E
  static let `true`: UInt32 = 0x6575_7274
  static let fals: UInt32 = 0x736C_6166
}
