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
      func append(_ first: UInt8, _ second: UInt8, _ third: UInt8) {
        line[length] = first
        line[length + 1] = second
        line[length + 2] = third
        length += 3
      }
      func appendEllipsis() { append(0xE2, 0x80, 0xA6) }
      if start > 0 { appendEllipsis() }
      var count = start > 0 ? 1 : 0
      var last = length  // where the last character starts
      var index = start
      while index < text.count, count < limit {
        last = length
        count += 1
        if text[index] >= 0x20, text[index] < 0x7F {  // nearly all
          line[length] = text[index]
          length += 1
          index += 1
          continue
        }
        let width = text.characterLength(index)
        if width == 0 {
          append(0xEF, 0xBF, 0xBD)
          index += 1
        } else if text.breaksLine(index, width) {
          line[length] = 0x20
          length += 1
          index += width
        } else {
          for place in index..<(index + width) { line[length + place - index] = text[place] }
          length += width
          index += width
        }
      }
      if index < text.count {
        length = last
        appendEllipsis()
      }
      // UTF-8 by construction.
      let written = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(line)[..<length])
      return makeString(ByteView(written), isASCII: false)
    }
  }

  /// The maximum number of names in an error.
  static let siblingLimit = 20

  /// Returns a name in the text as an error shows it: at most 80 characters.
  func shortName(_ start: Int, _ end: Int, isEscaped: Bool) -> String {
    let name = isEscaped ? String(decoding: unescaped(start..<end), as: UTF8.self) : text(start, end)
    return name.utf8.count > 80 && name.count > 80 ? "\(name.prefix(79))…" : name
  }
}

extension ByteView {
  /// Whether the character is a control character or a line separator.
  fileprivate func breaksLine(_ index: Int, _ length: Int) -> Bool {
    switch (length, self[index]) {
    case (1, let byte): byte < 0x20 || byte == 0x7F
    case (2, 0xC2): self[index + 1] < 0xA0
    case (3, 0xE2): self[index + 1] == 0x80 && self[index + 2] & 0xFE == 0xA8
    default: false
    }
  }
}
