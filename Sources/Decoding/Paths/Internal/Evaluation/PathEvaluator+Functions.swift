/// The functions that filters can call (RFC 9535 §2.4).
extension PathEvaluator {
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
