/// Iterates over the members of an object or the elements of an array without recording them.
struct ChildCursor {
  let scanner: JSONScanner
  /// The start of the object or array.
  let container: Int
  /// The number of containers around a child.
  let depth: Int
  let isObject: Bool
  /// The start of the child's value, and its index.
  private(set) var value = -1
  private(set) var index = -1
  private(set) var isFaulty = false
  /// The name of a member.
  private(set) var nameSpan = NameSpan()

  @inline(__always)
  init(scanner: JSONScanner, container: Int, depth: Int) {
    self.scanner = scanner
    self.container = container
    self.depth = depth
    isObject = scanner.text[container] == 0x7B
  }

  /// Advances to the next child; false at the end, or with a fault recorded.
  @inline(__always)
  mutating func next() -> Bool {
    let end = value < 0 ? container &+ 1 : scanner.endOfValue(value, depth: depth)
    let next = end < 0 ? end : isObject ? nextMember(end) : nextElement(end)
    guard next > 0 else {
      isFaulty = next < 0
      return false
    }
    value = next
    index &+= 1
    return true
  }

  @inline(__always)
  private func nextElement(_ end: Int) -> Int {
    value < 0 ? scanner.firstElement(container) : scanner.nextElement(end, of: container)
  }

  @inline(__always)
  private mutating func nextMember(_ end: Int) -> Int {
    let text = scanner.text
    let index = text.skipSpace(end)
    if index < text.count, text[index] == 0x7D {
      scanner.took(container, index &+ 1)
      return 0
    }
    let next = text.nextMember(index, isFirst: value < 0, &nameSpan)
    if next < 0 { scanner.setFault(~next) }
    return next
  }

  /// The member's name; nil with the fault recorded if it is not valid Unicode.
  @inline(__always)
  var name: String? {
    if nameSpan.isEscaped { return scanner.quotedString(nameSpan.start &- 1) }
    return makeString(ByteView(scanner.text.base + nameSpan.start, count: nameSpan.count), isASCII: !nameSpan.isWide)
  }

  /// Whether the member's name, unescaped, has the same bytes; both can contain unpaired surrogates.
  @inline(__always)
  func nameMatches(_ name: ByteView) -> Bool {
    guard nameSpan.isEscaped else { return nameSpan.count == name.count && scanner.text.matches(nameSpan.start, name) }
    return scanner.text.unescaped(nameSpan.range).elementsEqual(name.buffer(0, name.count))
  }
}

extension JSONScanner {
  /// Returns a cursor over the children of an object or array, around which `depth` containers are open; nil with a
  /// fault recorded if it is nested too deeply.
  func children(of container: Int, depth: Int) -> ChildCursor? {
    if depth < core.pointee.depthLimit { return ChildCursor(scanner: self, container: container, depth: depth &+ 1) }
    setFault(container, .tooDeep)
    return nil
  }
}

/// The bytes between the quotes of a member's name.
struct NameSpan {
  var start = 0
  var end = 0
  var isEscaped = false
  var isWide = false

  var count: Int { end &- start }
  var range: Range<Int> { start..<end }
}

extension ByteView {
  /// Advances from after an object's brace or a member's value, and the whitespace there, to the value of the next
  /// member, and validates the name on the way. Returns where the value starts, or `~offset`.
  @inline(__always)
  func nextMember(_ start: Int, isFirst: Bool, _ name: inout NameSpan) -> Int {
    var index = start
    if !isFirst {
      guard index < count, self[index] == 0x2C else { return ~index }
      index = skipSpace(index &+ 1)
    }
    guard index < count, self[index] == 0x22 else { return ~index }
    name = NameSpan(start: index &+ 1)
    let end = skipString(index &+ 1, &name.isEscaped, &name.isWide)
    if end < 0 { return end }
    name.end = end &- 1
    index = skipSpace(end)
    guard index < count, self[index] == 0x3A else { return ~index }
    index = skipSpace(index &+ 1)
    return index < count ? index : ~index
  }
}
