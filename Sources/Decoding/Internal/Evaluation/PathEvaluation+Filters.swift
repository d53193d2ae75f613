/// What filters ask (RFC 9535 §2.3.5.2).
extension PathEvaluation {
  func holds(_ expression: LogicalExpression, for node: PathNode) throws(EvaluationError) -> Bool {
    switch expression {
    case .or(let alternatives):
      for alternative in alternatives where try holds(alternative, for: node) { return true }
      return false
    case .and(let terms):
      for term in terms where try !holds(term, for: node) { return false }
      return true
    case .not(let term):
      return try !holds(term, for: node)
    case .comparison(let left, let comparison, let right):
      return try compare(comparand(left, for: node), comparison, comparand(right, for: node))
    case .exists(let query):
      return try firstNode(of: query, for: node) != nil
    case .test(let call):
      return try matches(call, for: node)
    }
  }

  private func comparand(_ operand: Operand, for node: PathNode) throws(EvaluationError) -> Comparand {
    switch operand {
    case .literal(.string(let string)): return .string(string.utf8)
    case .literal(.number(let number, _)): return .number(number)
    case .literal(.bool(let bool)): return .bool(bool)
    case .literal(.null): return .null
    case .query(let query):
      guard let found = try firstNode(of: query, for: node) else { return .nothing }
      return try comparand(of: found)
    case .call(let call):
      return try result(of: call, for: node)
    }
  }

  func comparand(of node: PathNode) throws(EvaluationError) -> Comparand {
    let kind = try kind(of: node)
    if kind == .object || kind == .array { return .container(node, kind) }
    let range = try range(of: node)
    switch kind {
    case .string:
      let text = (range.lowerBound + 1)..<(range.upperBound - 1)
      return .string(reader.unescaped(text))
    case .number: return .number(ExactNumber(reader.bytes[range]))
    case .boolean: return .bool(reader.bytes[range.lowerBound] == UInt8(ascii: "t"))
    default: return .null
    }
  }

  private func result(of call: FunctionCall, for node: PathNode) throws(EvaluationError) -> Comparand {
    switch call.function {
    case .length:
      switch try comparand(call.arguments[0], for: node) {
      case .string(let utf8): return .number(ExactNumber(utf8.count { $0 & 0xC0 != 0x80 }))
      case .container(let node, _): return .number(ExactNumber(try count(of: node)))
      default: return .nothing
      }
    case .count:
      return .number(ExactNumber(try nodes(call.arguments[0], for: node).count))
    case .value:
      let nodes = try nodes(call.arguments[0], for: node)
      return nodes.count == 1 ? try comparand(of: nodes[0]) : .nothing
    case .match, .search:
      return .nothing
    }
  }

  private func matches(_ call: FunctionCall, for node: PathNode) throws(EvaluationError) -> Bool {
    guard case .string(let text) = try comparand(call.arguments[0], for: node),
      case .string(let pattern) = try comparand(call.arguments[1], for: node),
      let expression = try expression(pattern)
    else { return false }
    return try expression.matches(Self.scalars(of: text), anywhere: call.function == .search) {
      work throws(EvaluationError) in try self.spend(work)
    }
  }

  /// The expression, compiled once per evaluation; nil for one that is malformed, which matches nothing.
  private func expression(_ pattern: [UInt8]) throws(EvaluationError) -> IRegexp? {
    if let known = expressions[pattern] { return known }
    // Patterns may come from the document, as many as it has values.
    if expressions.count >= 64 { expressions.removeAll() }
    try spend(pattern.count)
    do throws(RegexpError) {
      let expression = try IRegexp(Self.scalars(of: pattern))
      expressions[pattern] = expression
      return expression
    } catch {
      guard error == .malformed else { throw .tooMuch("a regular expression is too large") }
      expressions[pattern] = .some(nil)
      return nil
    }
  }

  /// Code points of UTF-8 that may hold halves of surrogate pairs.
  private static func scalars(of utf8: [UInt8]) -> [UInt32] {
    var scalars: [UInt32] = []
    scalars.reserveCapacity(utf8.count)
    for byte in utf8 {
      switch byte {
      case 0x80..<0xC0: scalars[scalars.count - 1] = scalars[scalars.count - 1] << 6 | UInt32(byte & 0x3F)
      case 0xC0..<0xE0: scalars.append(UInt32(byte & 0x1F))
      case 0xE0..<0xF0: scalars.append(UInt32(byte & 0x0F))
      case 0xF0...: scalars.append(UInt32(byte & 0x07))
      default: scalars.append(UInt32(byte))
      }
    }
    return scalars
  }

  private func firstNode(of query: FilterQuery, for node: PathNode) throws(EvaluationError) -> PathNode? {
    guard query.isRelative else { return try rootNodes(of: query).first }
    var first: PathNode?
    try select(query.segments[...], from: node) { found throws(EvaluationError) in
      first = found
      return false
    }
    return first
  }

  private func nodes(_ operand: Operand, for node: PathNode) throws(EvaluationError) -> [PathNode] {
    guard case .query(let query) = operand else { return [] }
    return query.isRelative ? try allNodes(of: query, from: node) : try rootNodes(of: query)
  }

  /// What a query from the root selects, found once for all children that are asked.
  private func rootNodes(of query: FilterQuery) throws(EvaluationError) -> [PathNode] {
    if let known = rootAnswers[query] { return known }
    let nodes = try allNodes(of: query, from: root)
    rootAnswers[query] = nodes
    return nodes
  }

  private func allNodes(of query: FilterQuery, from node: PathNode) throws(EvaluationError) -> [PathNode] {
    var nodes: [PathNode] = []
    try select(query.segments[...], from: node) { found throws(EvaluationError) in
      nodes.append(found)
      return true
    }
    return nodes
  }
}
