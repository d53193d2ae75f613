/// Finds JSON texts between delimiters: a line feed after each (NDJSON), or a record separator before each (RFC 7464).
///
/// Texts are delimited without being parsed, so a malformed text does not affect later ones.
struct DelimitedScanner: ElementScanner {
  let delimiter: UInt8
  let maximumSize: Int
  var isStarted = false

  mutating func next(_ buffer: StreamBuffer) throws(ScannerFault) -> ScannerAction {
    let text = buffer.text
    if !isStarted {
      if let action = try start(text, buffer) { return action }
      isStarted = true
    }
    while true {
      if buffer.mark == nil { buffer.cursor = text.skipSpace(buffer.cursor) }
      let start = buffer.mark ?? buffer.cursor
      let end = text.firstIndex(of: delimiter, from: buffer.cursor)
      if end == text.count, !buffer.isFinished {
        buffer.cursor = end
        if start < end { buffer.mark = start }
        guard end - start <= maximumSize else { throw ScannerFault(reason: .tooLarge, index: start) }
        return .needsBytes
      }
      buffer.mark = nil
      buffer.cursor = min(end + 1, text.count)
      guard start < end else {
        if end == text.count { return .end }
        continue
      }
      guard end - start <= maximumSize else { throw ScannerFault(reason: .tooLarge, index: start) }
      return .element(start..<end)
    }
  }

  /// Skips a byte order mark and, in a sequence, the required first record separator.
  private func start(_ text: ByteView, _ buffer: StreamBuffer) throws(ScannerFault) -> ScannerAction? {
    guard buffer.skipByteOrderMark() else { return .needsBytes }
    guard delimiter == 0x1E else { return nil }
    guard buffer.cursor < text.count else { return buffer.isFinished ? .end : .needsBytes }
    guard text[buffer.cursor] == delimiter else {
      throw ScannerFault(reason: .malformed("expected a record separator (RFC 7464)"), index: buffer.cursor)
    }
    buffer.cursor += 1
    return nil
  }
}
