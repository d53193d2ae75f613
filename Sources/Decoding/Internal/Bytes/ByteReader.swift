/// Walks over the bytes of a JSON text, checking everything it passes: grammar, escapes, UTF-8, depth.
///
/// No recursion, no allocation on the heap, nothing read outside of `bytes`: every access first compares its offset with
/// the count.
/// The buffer is borrowed; a reader must not outlive the `withUnsafeBytes` that it came from.
struct ByteReader {
  /// The nesting that Foundation's decoder accepts too.
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

  /// The byte at the offset, or nil at the end.
  var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  func fail(_ reason: JSONSyntaxError.Reason, at place: Int? = nil) -> JSONSyntaxError {
    let place = place ?? offset
    return JSONSyntaxError(offset: place, reason: place >= bytes.count && reason != .tooDeep ? .endOfInput : reason)
  }

  mutating func skipBlanks() {
    while offset < bytes.count, ASCII.isBlank(bytes[offset]) { offset += 1 }
  }

  /// Passes blanks and reports the byte that a value starts with.
  mutating func startOfValue() throws(JSONSyntaxError) -> UInt8 {
    skipBlanks()
    guard let next else { throw fail(.endOfInput) }
    return next
  }

  /// Passes one value and what is in it; stands behind its last byte afterwards.
  mutating func skipValue() throws(JSONSyntaxError) {
    let start = offset
    let end = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.maximumDepth) { kinds in
      // The capacity is not zero, so there is an address.
      kinds.baseAddress.map { kinds in
        var isTooDeep = false
        return ByteView(bytes).skipWholeValue(start, kinds: kinds, limit: Self.maximumDepth, isTooDeep: &isTooDeep)
      }
    }
    if let end, end >= 0 {
      offset = end
    } else {
      // Somewhere in there it is malformed: read again, slowly, to say where and how.
      try skipValueCarefully()
    }
  }

  private mutating func skipValueCarefully() throws(JSONSyntaxError) {
    // One bit per open container: set for an object.
    var isObject = SIMD8<UInt64>(repeating: 0)
    var depth = 0
    while true {
      let first = try startOfValue()
      if first == ASCII.leftBrace || first == ASCII.leftBracket {
        let opensObject = first == ASCII.leftBrace
        guard depth < Self.maximumDepth else { throw fail(.tooDeep) }
        if opensObject {
          isObject[depth >> 6] |= 1 << UInt64(depth & 63)
        } else {
          isObject[depth >> 6] &= ~(1 << UInt64(depth & 63))
        }
        depth += 1
        if opensObject {
          if try enterObject() != nil { continue }
        } else {
          if try enterArray() { continue }
        }
        depth -= 1
      } else {
        try skipScalar(first)
      }
      // A value has ended: close what ends with it, then go on to the next one.
      while depth > 0 {
        if isObject[(depth - 1) >> 6] >> UInt64((depth - 1) & 63) & 1 == 1 {
          if try nextMember() != nil { break }
        } else {
          if try nextElement() { break }
        }
        depth -= 1
      }
      if depth == 0 { return }
    }
  }

  /// Passes the only value and the blanks around it, and requires the end.
  mutating func skipDocument() throws(JSONSyntaxError) {
    try skipValue()
    skipBlanks()
    guard offset == bytes.count else { throw fail(.unexpectedAfterValue) }
  }

  /// Passes `{` and the first name with its colon; nil when the object is empty, which is passed whole.
  mutating func enterObject() throws(JSONSyntaxError) -> JSONName? {
    offset += 1
    skipBlanks()
    if next == ASCII.rightBrace {
      offset += 1
      return nil
    }
    return try name()
  }

  /// Passes what separates a member from the one after it; nil when `}` closes the object.
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

  /// Passes `[`; false when the array is empty, which is passed whole.
  mutating func enterArray() throws(JSONSyntaxError) -> Bool {
    offset += 1
    skipBlanks()
    guard next == ASCII.rightBracket else { return true }
    offset += 1
    return false
  }

  /// Passes the comma between two elements; false when `]` closes the array.
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
