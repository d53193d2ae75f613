@testable import Decoding

/// Reads text slowly, to find where and why it is malformed: what the fast search for an error is compared with.
///
/// Nothing is read outside `bytes`: every access first compares its offset with the count. The buffer is borrowed, and
/// a reader must not outlive the `withUnsafeBytes` that provided it.
struct ByteReader {
  /// The nesting limit, which is the same as that of Foundation's decoder.
  static let maximumDepth = 512

  let bytes: UnsafeRawBufferPointer
  var offset: Int

  init(_ bytes: UnsafeRawBufferPointer, at offset: Int = 0) {
    self.bytes = bytes
    self.offset = offset
  }

  init(_ text: ByteView, at offset: Int) {
    self.init(UnsafeRawBufferPointer(start: text.base, count: text.count), at: offset)
  }

  /// The byte at the offset; nil at the end.
  var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  func fail(_ reason: JSONSyntaxError.Reason, at place: Int? = nil) -> JSONSyntaxError {
    let place = place ?? offset
    return JSONSyntaxError(offset: place, reason: place >= bytes.count && reason != .tooDeep ? .endOfInput : reason)
  }

  mutating func skipBlanks() {
    while offset < bytes.count, ASCII.isBlank(bytes[offset]) { offset += 1 }
  }

  /// Skips whitespace and returns the first byte of a value.
  mutating func startOfValue() throws(JSONSyntaxError) -> UInt8 {
    skipBlanks()
    guard let next else { throw fail(.endOfInput) }
    return next
  }

  /// Skips the separator before the next member; nil if `}` closes the object.
  mutating func nextMember() throws(JSONSyntaxError) -> JSONName? {
    skipBlanks()
    switch next {
    case ASCII.comma:
      offset += 1
      skipBlanks()
      return try name()
    case ASCII.rightBrace:
      offset += 1
      return nil
    default: throw fail(.expectedCommaOrBrace)
    }
  }

  /// Skips the comma between two elements; false if `]` closes the array.
  mutating func nextElement() throws(JSONSyntaxError) -> Bool {
    skipBlanks()
    switch next {
    case ASCII.comma:
      offset += 1
      return true
    case ASCII.rightBracket:
      offset += 1
      return false
    default: throw fail(.expectedCommaOrBracket)
    }
  }

  /// Skips whitespace and returns the kind of the value that starts there.
  mutating func kindOfValue() throws(JSONSyntaxError) -> ValueKind {
    guard let kind = ValueKind(firstByte: try startOfValue()) else { throw fail(.expectedValue) }
    return kind
  }

  mutating func name() throws(JSONSyntaxError) -> JSONName {
    guard next == ASCII.quote else { throw fail(.expectedName) }
    let start = offset + 1
    let isEscaped = try skipString()
    let name = JSONName(range: start..<(offset - 1), isEscaped: isEscaped)
    skipBlanks()
    guard next == ASCII.colon else { throw fail(.expectedColon) }
    offset += 1
    return name
  }
}

/// A member's name in the text: the bytes between its quotes.
struct JSONName {
  var range: Range<Int>
  var isEscaped: Bool
}

extension ByteReader {
  /// Skips whitespace, the name of a member and its colon.
  mutating func nextName() throws(JSONSyntaxError) -> ByteString {
    skipBlanks()
    return ByteString(text(of: try name()))
  }

  /// Returns the name as a string.
  func text(of name: JSONName) -> String {
    name.isEscaped
      ? String(decoding: ByteView(bytes).unescaped(name.range), as: UTF8.self)
      : String(decoding: bytes[name.range], as: UTF8.self)
  }
}
