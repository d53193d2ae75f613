/// Details of a position for errors. All of this runs only after a failure.
extension ByteView {
  func position(of offset: Int) -> SourcePosition {
    let end = Swift.min(Swift.max(offset, 0), count)
    return SourcePosition(offset: 0, line: 1, column: 1).advanced(over: ByteView(base, count: end))
  }

  /// Returns at most 80 characters of the text around the offset, on one line.
  func snippet(around offset: Int) -> String {
    let limit = 80
    let text = self
    var start = max(0, min(offset, text.count) - 24)
    // Start between characters: a character has up to three bytes after its first.
    for _ in 0..<3 where start > 0 && start < text.count && text[start] & 0xC0 == 0x80 { start -= 1 }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: limit * 4) { line in
      var length = 0
      func append(_ bytes: ByteView) {
        for index in 0..<bytes.count { line[length + index] = bytes[index] }
        length += bytes.count
      }
      func append(_ character: StaticString) {
        append(ByteView(character.utf8Start, count: character.utf8CodeUnitCount))
      }
      if start > 0 { append("…") }
      var count = start > 0 ? 1 : 0
      var last = length  // where the last character starts
      var index = start
      while index < text.count, count < limit {
        last = length
        count += 1
        let width = text.characterLength(index)
        if width == 0 {
          append("\u{FFFD}")
        } else if text.breaksLine(index, width) {
          append(" ")
        } else {
          append(ByteView(text.base + index, count: width))
        }
        index += max(width, 1)
      }
      if index < text.count {
        length = last
        append("…")
      }
      // UTF-8 by construction.
      let written = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(line)[..<length])
      return makeString(ByteView(written), isASCII: false)
    }
  }

  /// The maximum number of names in an error.
  static let siblingLimit = 20

  /// Returns a name in the text as an error shows it: at most 80 characters.
  func shortName(_ range: Range<Int>, isEscaped: Bool) -> String {
    let name = isEscaped ? String(decoding: unescaped(range), as: UTF8.self) : text(range.lowerBound, range.upperBound)
    return name.utf8.count > 80 && name.count > 80 ? "\(name.prefix(79))…" : name
  }

  /// Whether the character is a control character or a line separator.
  private func breaksLine(_ index: Int, _ length: Int) -> Bool {
    switch (length, self[index]) {
    case (1, let byte): byte < 0x20 || byte == 0x7F
    case (2, 0xC2): self[index + 1] < 0xA0
    case (3, 0xE2): self[index + 1] == 0x80 && self[index + 2] & 0xFE == 0xA8
    default: false
    }
  }
}
