/// Writes segments in one spelling: RFC 9535's normalized path where the path is singular, its style elsewhere.
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
    case .name(let name): writeQuoted(name.text)
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
    case .literal(.string(let string)): writeQuoted(string.text)
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

  /// Single quotes and the escapes of RFC 9535 §2.7.
  private mutating func writeQuoted(_ string: String) {
    text += "'"
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
    text += "'"
  }
}
