/// The everyday filter, `list[?@.name=='text']`, taken apart so that it can be asked of bytes directly.
struct TextFilter: Sendable {
  /// The steps to what is filtered.
  let list: PathPrefix
  let name: ByteString
  let text: ByteString
  /// The steps behind the filter, but for the last, which is a name.
  let rest: [PathStep]
  /// The compared member's name as a key.
  let key: AnyKey
  /// The steps behind the filter as keys, when all of them are names.
  let restNames: [AnyKey]?

  /// Nil for paths of any other form.
  init?(_ segments: [Segment], prefix: ([PathStep]) -> PathPrefix) {
    guard let place = segments.firstIndex(where: { $0.step == nil }), place < segments.count - 1 else { return nil }
    let segment = segments[place]
    guard !segment.isDescendant, segment.selectors.count == 1, case .filter(let expression) = segment.selectors[0],
      case .comparison(let left, .equal, let right) = expression,
      let (name, text) = Self.nameAndText(left, right) ?? Self.nameAndText(right, left),
      let list = CompiledPath.steps(of: Array(segments[..<place])),
      let rest = CompiledPath.steps(of: Array(segments[(place + 1)..<(segments.count - 1)])),
      !rest.contains(where: Self.countsFromTheEnd)
    else { return nil }
    self.list = prefix(list)
    self.name = name
    self.text = text
    self.rest = rest
    key = AnyKey(stringValue: name.text)
    restNames = PathPrefix.names(of: rest)
  }

  private static func countsFromTheEnd(_ step: PathStep) -> Bool {
    if case .index(let index) = step { index < 0 } else { false }
  }

  private static func nameAndText(_ left: Operand, _ right: Operand) -> (name: ByteString, text: ByteString)? {
    guard case .query(let query) = left, query.isRelative, let steps = query.steps, steps.count == 1,
      case .name(let name) = steps[0], case .literal(.string(let text)) = right
    else { return nil }
    return (name, text)
  }

  /// Whether the object at an offset has the text under the name; false with a fault recorded where it is malformed.
  func lets(through object: Int, depth: Int, _ reader: Reader) -> Bool {
    var cursor = MemberCursor(reader: reader, object: object, depth: depth)
    return name.utf8.withUnsafeBytes { name in
      while cursor.next() {
        guard cursor.nameMatches(ByteView(name)) else { continue }
        return text.utf8.withUnsafeBytes { reader.isString(cursor.value, ByteView($0)) }
      }
      return false
    }
  }
}

extension Reader {
  /// Whether the value is the string that, without escapes, is `other`.
  func isString(_ value: Int, _ other: ByteView) -> Bool {
    guard text[value] == 0x22 else { return false }
    var isEscaped = false
    var isWide = false
    let end = text.validStringEnd(value &+ 1, &isEscaped, &isWide)
    if end < 0 {
      setFault(~end)
      return false
    }
    took(value, end &+ 1)
    guard isEscaped else { return end &- value &- 1 == other.count && text.matches(value &+ 1, other) }
    let length = unescape(value &+ 1)
    if length < 0 { _ = passUnreadable() }
    return length == other.count && ByteView(core.pointee.scratch, count: length).matches(0, other)
  }
}
