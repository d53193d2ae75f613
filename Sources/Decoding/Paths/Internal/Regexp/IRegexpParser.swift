/// The syntax tree of a regular expression.
indirect enum RegexpNode {
  case set(ScalarClass)
  case start
  case end
  case sequence([RegexpNode])
  case alternatives([RegexpNode])
  case repetition(RegexpNode, minimum: Int, maximum: Int?)
}

/// Why a string is not a regular expression.
enum RegexpError: Error {
  /// It does not conform to RFC 9485's grammar.
  case malformed
  /// It is nested too deeply, or its counted repetitions expand too far.
  case tooLarge
}

/// Parses I-Regexp (RFC 9485).
struct IRegexpParser {
  private let scalars: [UInt32]
  private var position = 0
  private var nesting = 0

  static let maximumNesting = 64

  init(_ scalars: [UInt32]) { self.scalars = scalars }

  mutating func parse() throws(RegexpError) -> RegexpNode {
    let node = try parseAlternatives()
    guard position == scalars.count else { throw .malformed }
    return node
  }

  private var next: Unicode.Scalar? {
    // An unpaired surrogate is not a scalar. It is treated as an ordinary character, like U+FFFD.
    position < scalars.count ? Unicode.Scalar(scalars[position]) ?? "\u{FFFD}" : nil
  }

  private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    position += 1
    return true
  }

  private mutating func parseAlternatives() throws(RegexpError) -> RegexpNode {
    nesting += 1
    defer { nesting -= 1 }
    guard nesting <= Self.maximumNesting else { throw .tooLarge }
    var branches = [try parseBranch()]
    while skip("|") { branches.append(try parseBranch()) }
    return branches.count == 1 ? branches[0] : .alternatives(branches)
  }

  private mutating func parseBranch() throws(RegexpError) -> RegexpNode {
    var pieces: [RegexpNode] = []
    while let next, next != "|", next != ")" { pieces.append(try parsePiece()) }
    return .sequence(pieces)
  }

  private mutating func parsePiece() throws(RegexpError) -> RegexpNode {
    let atom = try parseAtom()
    guard let next, "*+?{".unicodeScalars.contains(next) else { return atom }
    position += 1
    switch next {
    case "*": return .repetition(atom, minimum: 0, maximum: nil)
    case "+": return .repetition(atom, minimum: 1, maximum: nil)
    case "?": return .repetition(atom, minimum: 0, maximum: 1)
    default: return try parseQuantity(of: atom)
    }
  }

  private mutating func parseQuantity(of atom: RegexpNode) throws(RegexpError) -> RegexpNode {
    let minimum = try parseCount()
    var maximum: Int? = minimum
    if skip(",") { maximum = next == "}" ? nil : try parseCount() }
    guard skip("}"), maximum.map({ $0 >= minimum }) ?? true else { throw .malformed }
    return .repetition(atom, minimum: minimum, maximum: maximum)
  }

  private mutating func parseCount() throws(RegexpError) -> Int {
    var count: Int?
    while let digit = next, ("0"..."9").contains(digit) {
      // Far beyond the expansion limit; the exact number no longer matters.
      count = min((count ?? 0) * 10 + Int(digit.value - 0x30), 1_000_000)
      position += 1
    }
    guard let count else { throw .malformed }
    return count
  }

  private mutating func parseAtom() throws(RegexpError) -> RegexpNode {
    guard let next else { throw .malformed }
    position += 1
    switch next {
    case "(":
      let group = try parseAlternatives()
      guard skip(")") else { throw .malformed }
      return group
    case ".": return .set(.any)
    case "[": return .set(try parseClass())
    case "\\":
      guard let category = try parseCategory() else { return .set(ScalarClass(try parseEscaped())) }
      var set = ScalarClass()
      set.categories = category
      return .set(set)
    // RFC 9485's grammar treats these two as plain characters, but RFC 9535's compliance suite and the authors of
    // patterns use them as anchors for the ends of the text.
    case "^": return .start
    case "$": return .end
    case "*", "+", "?", ")", "]", "{", "}", "|": throw .malformed
    default: return .set(ScalarClass(scalars[position - 1]))
    }
  }

  /// Parses the categories of `p{…}` or `P{…}` after the backslash.
  private mutating func parseCategory() throws(RegexpError) -> UInt32? {
    guard next == "p" || next == "P" else { return nil }
    let isNegated = next == "P"
    position += 1
    guard skip("{") else { throw .malformed }
    var name = ""
    while let letter = next, letter != "}", name.utf8.count < 3 {
      name.unicodeScalars.append(letter)
      position += 1
    }
    guard skip("}"), let categories = UnicodeCategories.bits(named: name) else { throw .malformed }
    return isNegated ? UnicodeCategories.all & ~categories : categories
  }

  /// Parses the character after a backslash, which represents itself or a control character.
  private mutating func parseEscaped() throws(RegexpError) -> UInt32 {
    guard let next else { throw .malformed }
    position += 1
    switch next {
    case "n": return 0x0A
    case "r": return 0x0D
    case "t": return 0x09
    case "("..."+", "-", ".", "?", "["..."^", "{"..."}": return next.value
    default: throw .malformed
    }
  }

  private mutating func parseClass() throws(RegexpError) -> ScalarClass {
    var set = ScalarClass()
    set.isNegated = skip("^")
    // A hyphen at either end represents itself.
    if skip("-") { set.ranges.append(0x2D...0x2D) } else { try parseClassItem(into: &set) }
    while let next, next != "]" {
      if next == "-" {
        position += 1
        set.ranges.append(0x2D...0x2D)
        guard self.next == "]" else { throw .malformed }
      } else {
        try parseClassItem(into: &set)
      }
    }
    guard skip("]") else { throw .malformed }
    return set
  }

  private mutating func parseClassItem(into set: inout ScalarClass) throws(RegexpError) {
    if next == "\\" {
      position += 1
      if let category = try parseCategory() {
        set.categories |= category
        return
      }
      position -= 1
    }
    let lower = try parseClassCharacter()
    guard next == "-", position + 1 < scalars.count, scalars[position + 1] != 0x5D else {
      set.ranges.append(lower...lower)
      return
    }
    position += 1
    let upper = try parseClassCharacter()
    guard lower <= upper else { throw .malformed }
    set.ranges.append(lower...upper)
  }

  private mutating func parseClassCharacter() throws(RegexpError) -> UInt32 {
    guard let next, next != "-", next != "[", next != "]" else { throw .malformed }
    position += 1
    return next == "\\" ? try parseEscaped() : scalars[position - 1]
  }
}
