/// Writes segments in canonical spelling: RFC 9535's normalized path for a singular path, and its style otherwise.
struct PathWriter {
  private(set) var text = ""

  mutating func write(_ segments: [Segment], after start: String) {
    text += start
    for segment in segments {
      text += segment.isDescendant ? "..[" : "["
      for (position, selector) in segment.selectors.enumerated() {
        if position > 0 { text += "," }
        write(selector)
      }
      text += "]"
    }
  }

  private mutating func write(_ selector: Selector) {
    switch selector {
    case .name(let name): writeQuoted(name)
    case .wildcard: text += "*"
    case .index(let index): text += "\(index)"
    case .slice(let slice):
      text += slice.start.map(String.init) ?? ""
      text += ":"
      text += slice.end.map(String.init) ?? ""
      if slice.step != 1 { text += ":\(slice.step)" }
    case .filter(let expression):
      text += "?"
      write(expression)
    }
  }

  private mutating func write(_ expression: LogicalExpression) {
    switch expression {
    case .or(let alternatives): write(alternatives, joinedBy: " || ")
    case .and(let terms): write(terms, joinedBy: " && ")
    case .not(let term):
      text += "!"
      if case .exists = term { return write(term) }
      if case .test = term { return write(term) }
      writeInParentheses(term)
    case .comparison(let left, let comparison, let right):
      write(left)
      text += comparison.rawValue
      write(right)
    case .exists(let query): write(Operand.query(query))
    case .test(let call): write(Operand.call(call))
    }
  }

  private mutating func write(_ terms: [LogicalExpression], joinedBy separator: String) {
    for (position, term) in terms.enumerated() {
      if position > 0 { text += separator }
      switch term {
      case .or, .and: writeInParentheses(term)
      default: write(term)
      }
    }
  }

  private mutating func writeInParentheses(_ expression: LogicalExpression) {
    text += "("
    write(expression)
    text += ")"
  }

  private mutating func write(_ operand: Operand) {
    switch operand {
    case .literal(.string(let string)): writeQuoted(string)
    case .literal(.number(let number)): text += number.text
    case .literal(.bool(let bool)): text += "\(bool)"
    case .literal(.null): text += "null"
    case .query(let query): write(query.segments, after: query.isRelative ? "@" : "$")
    case .call(let call):
      text += call.function.rawValue + "("
      for (position, argument) in call.arguments.enumerated() {
        if position > 0 { text += ", " }
        write(argument)
      }
      text += ")"
    }
  }

  /// Writes a name in single quotes. Unpaired surrogates become escapes, which the parser rejects.
  private mutating func writeQuoted(_ string: ByteString) {
    text += "'"
    var rest = string.utf8[...]
    while let half = rest.indices.first(where: { rest[$0] == 0xED && $0 + 2 < rest.endIndex && rest[$0 + 1] >= 0xA0 }) {
      write(scalars: String(decoding: rest[..<half], as: UTF8.self))
      let unit = 0xD000 | UInt16(rest[half + 1] & 0x3F) << 6 | UInt16(rest[half + 2] & 0x3F)
      text += "\\u\(String(unit, radix: 16))"
      rest = rest[(half + 3)...]
    }
    write(scalars: String(decoding: rest, as: UTF8.self))
    text += "'"
  }

  /// Writes text with the escapes of RFC 9535 §2.7.
  private mutating func write(scalars string: String) {
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\u{8}": text += "\\b"
      case "\t": text += "\\t"
      case "\n": text += "\\n"
      case "\u{C}": text += "\\f"
      case "\r": text += "\\r"
      case "'": text += "\\'"
      case "\\": text += "\\\\"
      case "\u{0}"..."\u{1F}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}
