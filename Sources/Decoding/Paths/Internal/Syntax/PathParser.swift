/// Parses RFC 9535's grammar, with the leading `$.` optional, into segments.
///
/// One byte of lookahead is enough almost everywhere. Only filters recurse, limited by ``PathLimits/nesting``.
struct PathParser {
  let text: String
  let bytes: [UInt8]
  /// Whether the text is the raw value of a coding key, whose names outside of filters have more characters.
  let isKey: Bool
  var position = 0
  var nesting = 0
  /// The number of queries in the filters so far.
  var queryCount = 0

  init(_ text: String, isKey: Bool = false) {
    self.text = text
    self.isKey = isKey
    bytes = Array(text.utf8)
  }

  mutating func parsePath() throws(JSONPathError) -> [Segment] {
    guard bytes.count <= PathLimits.bytes else {
      throw fail("the path is longer than \(PathLimits.bytes) bytes", at: 0)
    }
    guard let first = peek() else { throw fail("the path is empty; use `$` for the whole document") }
    var leading: [Segment] = []
    if first == "$", !isKey || peek(1).map({ $0 == "." || $0 == "[" || isBlank($0) }) == true {
      position += 1
    } else if first != "[", !(first == "." && peek(1) == ".") {
      // Without a leading `$.`, the path continues with what could follow the dot.
      leading = [try parseDotted(isDescendant: false)]
    }
    let segments = leading + (try parseSegments())
    if let next = peek() {
      if isBlank(next) { throw fail("a path must not have whitespace before or after it") }
      throw fail("\(describe(next)) is not allowed here; a segment starts with `.` or `[`")
    }
    return segments
  }

  /// Parses as many segments as possible; whitespace that no segment follows is not consumed.
  mutating func parseSegments() throws(JSONPathError) -> [Segment] {
    var segments: [Segment] = []
    while true {
      let start = position
      skipBlanks()
      switch peek() {
      case ".":
        position += 1
        if peek() == "." {
          position += 1
          if peek() == "[" {
            segments.append(Segment(isDescendant: true, selectors: try parseBrackets()))
          } else {
            segments.append(try parseDotted(isDescendant: true))
          }
        } else {
          segments.append(try parseDotted(isDescendant: false))
        }
      case "[":
        segments.append(Segment(selectors: try parseBrackets()))
      default:
        position = start
        return segments
      }
      guard segments.count <= PathLimits.segments else { throw fail("more than \(PathLimits.segments) segments") }
    }
  }

  /// Parses what follows a dot: `*` or a shorthand name.
  private mutating func parseDotted(isDescendant: Bool) throws(JSONPathError) -> Segment {
    guard let first = peek() else { throw fail("a name, `*` or `[` is missing at the end") }
    if first == "*" {
      position += 1
      return Segment(isDescendant: isDescendant, selectors: [.wildcard])
    }
    let isKey = isKey && nesting == 0
    guard isNameStart(first) || isKey && isKeyCharacter(first) else {
      if isBlank(first) { throw fail("whitespace is not allowed before a name") }
      throw fail("a name cannot start with \(describe(first)); write it in brackets and quotes: ['…']")
    }
    let start = position
    while let next = peek(), isNameStart(next) || isDigit(next) || isKey && isKeyCharacter(next) { position += 1 }
    if peek() == "-" { throw fail("a name with `-` must be written in brackets and quotes: ['…']") }
    let name = String(decoding: bytes[start..<position], as: UTF8.self)
    return Segment(isDescendant: isDescendant, selectors: [.name(ByteString(name))])
  }

  private mutating func parseBrackets() throws(JSONPathError) -> [Selector] {
    position += 1
    var selectors: [Selector] = []
    while true {
      skipBlanks()
      selectors.append(try parseSelector())
      skipBlanks()
      switch peek() {
      case ",": position += 1
      case "]":
        position += 1
        return selectors
      case nil: throw fail("`]` is missing")
      case let next?: throw fail("expected `,` or `]`, not \(describe(next))")
      }
    }
  }

  private mutating func parseSelector() throws(JSONPathError) -> Selector {
    switch peek() {
    case "*":
      position += 1
      return .wildcard
    case "'", "\"":
      return .name(ByteString(try parseString()))
    case "?":
      position += 1
      skipBlanks()
      return .filter(try parseLogicalExpression())
    case ":", "-", ("0"..."9")?:
      return try parseIndexOrSlice()
    case "]", ",":
      throw fail("a selector is missing")
    case nil:
      throw fail("a selector and `]` are missing")
    case let next?:
      throw fail("\(describe(next)) does not start a selector: expected a quoted name, an index, a slice, `*` or `?`")
    }
  }

  private mutating func parseIndexOrSlice() throws(JSONPathError) -> Selector {
    var slice = Slice()
    if peek() != ":" {
      let index = try parseInteger()
      let end = position
      skipBlanks()
      guard peek() == ":" else {
        position = end
        return .index(index)
      }
      slice.start = index
    }
    position += 1
    skipBlanks()
    if let next = peek(), isDigit(next) || next == "-" {
      slice.end = try parseInteger()
      skipBlanks()
    }
    if peek() == ":" {
      position += 1
      skipBlanks()
      if let next = peek(), isDigit(next) || next == "-" { slice.step = try parseInteger() }
    }
    return .slice(slice)
  }

  private mutating func parseInteger() throws(JSONPathError) -> Int {
    let start = position
    let isNegative = peek() == "-"
    if isNegative { position += 1 }
    guard let first = peek(), isDigit(first) else { throw fail("expected a digit") }
    var value = 0
    while let next = peek(), isDigit(next) {
      value = value * 10 + Int(next.value - 0x30)
      position += 1
      guard value <= PathLimits.largestInteger else {
        throw fail("an integer must be within ±\(PathLimits.largestInteger)", at: start)
      }
    }
    if first == "0" {
      if isNegative { throw fail("an integer cannot be `-0` or have a leading zero", at: start) }
      if position > start + 1 { throw fail("an integer cannot have a leading zero", at: start) }
    }
    return isNegative ? -value : value
  }

  /// Returns the byte at the position as the scalar with the same number. The grammar is ASCII, and every byte from
  /// 0x80 on is part of a scalar that it allows in names and strings.
  func peek(_ distance: Int = 0) -> Unicode.Scalar? {
    position + distance < bytes.count ? Unicode.Scalar(bytes[position + distance]) : nil
  }

  func isNameStart(_ character: Unicode.Scalar) -> Bool {
    switch character {
    case "a"..."z", "A"..."Z", "_": true
    default: character.value >= 0x80
    }
  }

  /// Whether only the names of coding keys can have the character anywhere without quotes.
  func isKeyCharacter(_ character: Unicode.Scalar) -> Bool {
    isDigit(character) || character == "-" || character == "@" || character == "$" || character == ":"
  }

  func isDigit(_ character: Unicode.Scalar) -> Bool { ("0"..."9").contains(character) }

  func isBlank(_ character: Unicode.Scalar) -> Bool {
    character == " " || character == "\t" || character == "\n" || character == "\r"
  }

  mutating func skipBlanks() {
    while let next = peek(), isBlank(next) { position += 1 }
  }

  func fail(_ reason: String, at offset: Int? = nil) -> JSONPathError {
    // Every byte that does not continue a scalar starts one.
    let column = bytes[..<(offset ?? position)].count { $0 & 0xC0 != 0x80 } + 1
    return JSONPathError(path: text, column: column, reason: reason)
  }

  func describe(_ character: Unicode.Scalar) -> String {
    switch character.value {
    case 0x21...0x7E: "`\(character)`"
    case 0x80...: "a character that is not ASCII"
    default: isBlank(character) ? "whitespace" : "a control character"
    }
  }
}

/// Limits on the text of a path, so that parsing and evaluating it uses bounded stack.
enum PathLimits {
  static let bytes = 65_536
  static let segments = 512
  static let nesting = 64
  /// RFC 9535 §2.1: the integers of a path are within the range that I-JSON represents exactly.
  static let largestInteger = 9_007_199_254_740_991
}
