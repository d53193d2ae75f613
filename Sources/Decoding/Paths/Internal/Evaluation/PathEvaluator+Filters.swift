/// The tests of filters (RFC 9535 §2.3.5.2), and the functions that they can call (§2.4).
extension PathEvaluator {
  mutating func holds(_ expression: LogicalExpression, for node: PathNode) throws(EvaluationError) -> Bool {
    try meter.spend(WorkMeter.test)
    switch expression {
    case .or(let alternatives):
      for alternative in alternatives where try holds(alternative, for: node) { return true }
      return false
    case .and(let terms):
      for term in terms where try !holds(term, for: node) { return false }
      return true
    case .not(let term):
      return try !holds(term, for: node)
    case .comparison(.query(let query), let comparison, .literal(let literal)):
      return try compare(firstNode(of: query, for: node), comparison, literal)
    case .comparison(.literal(let literal), let comparison, .query(let query)):
      return try compare(firstNode(of: query, for: node), comparison.mirrored, literal)
    case .comparison(let left, let comparison, let right):
      return try compare(comparand(left, for: node), comparison, comparand(right, for: node))
    case .exists(let query):
      return try firstNode(of: query, for: node) != nil
    case .test(let call):
      return try matches(call, for: node)
    }
  }

  mutating func comparand(_ operand: Operand, for node: PathNode) throws(EvaluationError) -> Comparand {
    switch operand {
    case .literal(let literal): return Comparand(literal)
    case .query(let query):
      guard let found = try firstNode(of: query, for: node) else { return .nothing }
      return try comparand(of: found)
    case .call(let call): return try result(of: call, for: node)
    }
  }

  private mutating func firstNode(of query: FilterQuery, for node: PathNode) throws(EvaluationError) -> PathNode? {
    guard query.isRelative else { return try rootNodes(of: query).first }
    var node = node
    var position = 0
    while position < query.segments.count, query.segments[position].isStep {
      guard let child = try child(query.segments[position].selectors[0], of: node) else { return nil }
      node = child
      position += 1
    }
    if position == query.segments.count { return node }
    var first: PathNode?
    try select(query.segments, from: position, of: node) { found in
      first = found
      return false
    }
    return first
  }

  /// Returns the nodes that a query selects, up to a limit.
  mutating func nodes(
    of query: FilterQuery, for node: PathNode, limit: Int
  ) throws(EvaluationError) -> [PathNode] {
    guard query.isRelative else { return try rootNodes(of: query) }
    var nodes: [PathNode] = []
    try select(query.segments, of: node) { found in
      nodes.append(found)
      return nodes.count < limit
    }
    return nodes
  }

  mutating func count(_ query: FilterQuery, for node: PathNode) throws(EvaluationError) -> Int {
    guard query.isRelative else { return try rootNodes(of: query).count }
    var count = 0
    try select(query.segments, of: node) { _ in
      count += 1
      return true
    }
    return count
  }

  /// Returns the nodes that a query from the root selects; they are found once for all children.
  private mutating func rootNodes(of query: FilterQuery) throws(EvaluationError) -> [PathNode] {
    if let known = answers[query.number] { return known }
    var nodes: [PathNode] = []
    try select(query.segments, of: root) { found in
      nodes.append(found)
      return true
    }
    try meter.spend(nodes.count &* WorkMeter.entry)
    answers[query.number] = nodes
    return nodes
  }

  mutating func result(of call: FunctionCall, for node: PathNode) throws(EvaluationError) -> Comparand {
    switch call.function {
    case .length:
      switch try comparand(call.arguments[0], for: node) {
      case .string(let utf8): return .number(ExactNumber(utf8.count { $0 & 0xC0 != 0x80 }))
      case .container(let node, _): return .number(ExactNumber(try count(of: node)))
      default: return .nothing
      }
    case .count:
      guard case .query(let query) = call.arguments[0] else { return .nothing }
      return .number(ExactNumber(try count(query, for: node)))
    case .value:
      guard case .query(let query) = call.arguments[0] else { return .nothing }
      let nodes = try nodes(of: query, for: node, limit: 2)
      return nodes.count == 1 ? try comparand(of: nodes[0]) : .nothing
    case .match, .search:
      return .nothing
    }
  }

  mutating func matches(_ call: FunctionCall, for node: PathNode) throws(EvaluationError) -> Bool {
    guard case .string(let text) = try comparand(call.arguments[0], for: node),
      case .string(let pattern) = try comparand(call.arguments[1], for: node),
      let expression = try expressions.expression(pattern, &meter)
    else { return false }
    return try expression.matches(text, anywhere: call.function == .search, &meter)
  }
}
