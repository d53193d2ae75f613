extension PathParser {
  /// Parses `or` of `and` of tests, comparisons and parentheses (RFC 9535 §2.3.5.1).
  mutating func parseLogicalExpression() throws(JSONPathError) -> LogicalExpression {
    nesting += 1
    defer { nesting -= 1 }
    guard nesting <= PathLimits.nesting else { throw fail("more than \(PathLimits.nesting) levels of nesting") }

    var alternatives = [try parseConjunction()]
    while skip(operator: "||") { alternatives.append(try parseConjunction()) }
    return alternatives.count == 1 ? alternatives[0] : .or(alternatives)
  }

  private mutating func parseConjunction() throws(JSONPathError) -> LogicalExpression {
    var terms = [try parseTerm()]
    while skip(operator: "&&") { terms.append(try parseTerm()) }
    return terms.count == 1 ? terms[0] : .and(terms)
  }

  /// Skips whitespace, the operator and whitespace again; skips nothing if something else follows.
  private mutating func skip(operator text: StaticString) -> Bool {
    let start = position
    skipBlanks()
    let first = Unicode.Scalar(text.utf8Start[0])
    guard peek() == first, peek(1) == first else {
      position = start
      return false
    }
    position += 2
    skipBlanks()
    return true
  }

  private mutating func parseTerm() throws(JSONPathError) -> LogicalExpression {
    let start = position
    let isNegated = peek() == "!"
    if isNegated {
      position += 1
      skipBlanks()
    }
    let term: LogicalExpression
    if peek() == "(" {
      position += 1
      skipBlanks()
      term = try parseLogicalExpression()
      skipBlanks()
      guard peek() == ")" else { throw fail("`)` is missing") }
      position += 1
    } else {
      let operandStart = position
      let operand = try parseOperand()
      let operandEnd = position
      skipBlanks()
      if let comparison = try parseComparison() {
        guard !isNegated else { throw fail("`!` negates a test or parentheses, not a comparison", at: start) }
        try requireComparable(operand, at: operandStart)
        skipBlanks()
        let rightStart = position
        let right = try parseOperand()
        try requireComparable(right, at: rightStart)
        return .comparison(operand, comparison, right)
      }
      position = operandEnd
      term = try test(operand, at: operandStart)
    }
    return isNegated ? .not(term) : term
  }

  private mutating func parseComparison() throws(JSONPathError) -> Comparison? {
    guard let first = peek(), "=!<>".unicodeScalars.contains(first) else { return nil }
    if peek(1) == "=" {
      position += 2
      return Comparison(rawValue: "\(first)=")
    }
    guard first == "<" || first == ">" else { throw fail("expected `==` or `!=`") }
    position += 1
    return Comparison(rawValue: "\(first)")
  }

  private func test(_ operand: Operand, at start: Int) throws(JSONPathError) -> LogicalExpression {
    switch operand {
    case .literal:
      throw fail("a literal must be compared with something", at: start)
    case .query(let query):
      return .exists(query)
    case .call(let call):
      guard call.function.isLogical else {
        throw fail("the result of \(call.function.rawValue)() must be compared with something", at: start)
      }
      return .test(call)
    }
  }

  private func requireComparable(_ operand: Operand, at start: Int) throws(JSONPathError) {
    switch operand {
    case .literal: break
    case .query(let query):
      guard query.steps != nil else {
        throw fail("only a singular path (names and indices) can be compared", at: start)
      }
    case .call(let call):
      guard !call.function.isLogical else {
        throw fail("the result of \(call.function.rawValue)() is true or false and cannot be compared", at: start)
      }
    }
  }

  private mutating func parseOperand() throws(JSONPathError) -> Operand {
    switch peek() {
    case "@", "$":
      let isRelative = peek() == "@"
      // The rest of a key's path is followed from the value of its first name.
      guard isRelative || !isKey else { throw fail("`$` is not supported in a filter of a coding key") }
      position += 1
      let segments = try parseSegments()
      queryCount += 1
      return .query(FilterQuery(isRelative: isRelative, segments: segments, number: queryCount))
    case "'", "\"":
      return .literal(.string(ByteString(try parseString())))
    case "-", ("0"..."9")?:
      return .literal(.number(NumberLiteral(try parseNumber())))
    case ("a"..."z")?:
      return try parseWord()
    case nil:
      throw fail("the filter is incomplete")
    case let next?:
      throw fail("\(describe(next)) does not start a path (`@`, `$`), a literal or a function")
    }
  }

  private mutating func parseWord() throws(JSONPathError) -> Operand {
    let start = position
    while let next = peek(), ("a"..."z").contains(next) || next == "_" || isDigit(next) { position += 1 }
    let word = String(decoding: bytes[start..<position], as: UTF8.self)
    if peek() == "(" { return .call(try parseCall(word, at: start)) }
    switch word {
    case "true": return .literal(.bool(true))
    case "false": return .literal(.bool(false))
    case "null": return .literal(.null)
    default: throw fail("expected true, false, null or a function call, not `\(word)`", at: start)
    }
  }

  private mutating func parseCall(_ name: String, at start: Int) throws(JSONPathError) -> FunctionCall {
    guard let function = Function(rawValue: name) else {
      throw fail("unknown function `\(name)`; use length, count, match, search or value", at: start)
    }
    nesting += 1
    defer { nesting -= 1 }
    guard nesting <= PathLimits.nesting else { throw fail("more than \(PathLimits.nesting) levels of nesting") }

    position += 1
    skipBlanks()
    var arguments: [Operand] = []
    while peek() != ")" {
      if !arguments.isEmpty {
        guard peek() == "," else { throw fail("expected `,` or `)`") }
        position += 1
        skipBlanks()
      }
      let argumentStart = position
      let argument = try parseOperand()
      try require(argument, of: function, at: argumentStart)
      arguments.append(argument)
      skipBlanks()
    }
    position += 1
    guard arguments.count == function.argumentCount else {
      let count = function.argumentCount == 1 ? "one argument" : "two arguments"
      throw fail("\(name)() takes \(count), not \(arguments.count)", at: start)
    }
    return FunctionCall(function: function, arguments: arguments)
  }

  private func require(_ argument: Operand, of function: Function, at start: Int) throws(JSONPathError) {
    guard function.takesNodes else { return try requireComparable(argument, at: start) }
    guard case .query = argument else { throw fail("\(function.rawValue)() takes a path", at: start) }
  }

  /// Parses a JSON number and returns its text, because comparisons are exact.
  private mutating func parseNumber() throws(JSONPathError) -> String {
    let start = position
    let end = bytes.withUnsafeBytes { ByteView($0).skipNumber(start) }
    guard end >= 0 else { throw fail("expected a digit", at: ~end) }
    position = end
    if let next = peek(), isDigit(next) { throw fail("a number cannot have a leading zero", at: end - 1) }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }
}
