/// Iterates over the members of an object without recording them.
struct MemberCursor {
  let scanner: JSONScanner
  let object: Int
  let depth: Int
  /// The start of the member's value.
  private(set) var value = -1
  private(set) var isFaulty = false
  /// The offset of the name's first byte.
  private(set) var nameStart = 0
  private(set) var nameLength = 0
  private(set) var isEscaped = false
  private var isWide = false
  /// Whether the name is valid Unicode; false if it contains an unpaired surrogate.
  private var isText = true

  init(scanner: JSONScanner, object: Int, depth: Int) {
    self.scanner = scanner
    self.object = object
    self.depth = depth
  }

  /// Advances to the next member; false at the end, or with a fault recorded.
  @inline(__always)
  mutating func next() -> Bool {
    let text = scanner.text
    var index: Int
    if value < 0 {
      index = text.skipSpace(object &+ 1)
      guard index < text.count else { return fail(index) }
      if text[index] == 0x7D { return close(index) }
    } else {
      index = scanner.endOfValue(value, depth: depth)
      if index < 0 { return fail(nil) }
      index = text.skipSpace(index)
      guard index < text.count else { return fail(index) }
      if text[index] == 0x7D { return close(index) }
      guard text[index] == 0x2C else { return fail(index) }
      index = text.skipSpace(index &+ 1)
    }
    guard index < text.count, text[index] == 0x22 else { return fail(index) }
    nameStart = index &+ 1
    isEscaped = false
    isWide = false
    isText = true
    let end = text.validStringEnd(nameStart, &isEscaped, &isWide)
    if end < 0 { return fail(~end) }
    if isEscaped {
      isText = scanner.unescape(nameStart) >= 0
      if !isText, !scanner.passUnreadable() { return fail(nil) }
    }
    nameLength = end &- nameStart
    index = text.skipSpace(end &+ 1)
    guard index < text.count, text[index] == 0x3A else { return fail(index) }
    index = text.skipSpace(index &+ 1)
    guard index < text.count else { return fail(index) }
    value = index
    return true
  }

  /// The member's name; nil with the fault recorded if it is not valid Unicode.
  @inline(__always)
  var name: String? {
    if isEscaped { return scanner.quotedString(nameStart &- 1) }
    return makeString(ByteView(scanner.text.base + nameStart, count: nameLength), isASCII: !isWide)
  }

  @inline(__always)
  func nameMatches(_ name: ByteView) -> Bool {
    guard isEscaped else { return nameLength == name.count && scanner.text.matches(nameStart, name) }
    // Names are compared as written, even if unpaired surrogates are replaced in those that are decoded.
    guard isText, !scanner.core.pointee.replacesSurrogates else { return unreadableNameMatches(name) }
    let length = scanner.unescape(nameStart)
    return length == name.count && ByteView(scanner.core.pointee.scratch, count: length).matches(0, name)
  }

  /// Only the path of a node can contain a name with an unpaired surrogate.
  @inline(never)
  private func unreadableNameMatches(_ name: ByteView) -> Bool {
    scanner.text.unescaped(nameStart..<nameStart + nameLength).elementsEqual(name.buffer(0, name.count))
  }

  private mutating func fail(_ offset: Int?) -> Bool {
    if let offset { scanner.setFault(min(offset, scanner.text.count)) }
    isFaulty = true
    return false
  }

  private func close(_ index: Int) -> Bool {
    scanner.took(object, index &+ 1)
    return false
  }
}
