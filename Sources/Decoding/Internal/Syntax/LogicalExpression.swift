/// What a filter asks of each child (RFC 9535 §2.3.5).
indirect enum LogicalExpression: Hashable, Sendable {
  case or([LogicalExpression])
  case and([LogicalExpression])
  case not(LogicalExpression)
  case comparison(Operand, Comparison, Operand)
  case exists(FilterQuery)
  case test(FunctionCall)
}

/// One side of a comparison.
enum Operand: Hashable, Sendable {
  case literal(Literal)
  case query(FilterQuery)
  case call(FunctionCall)
}

enum Comparison: String, Hashable, Sendable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
}

enum Literal: Hashable, Sendable {
  case string(ByteString)
  case number(ExactNumber, text: String)
  case bool(Bool)
  case null
}

/// A path inside a filter, from the child being asked (`@`) or from the document (`$`).
struct FilterQuery: Hashable, Sendable {
  var isRelative: Bool
  var segments: [Segment]
  /// The steps, when the query is singular.
  var steps: [PathStep]?

  init(isRelative: Bool, segments: [Segment]) {
    self.isRelative = isRelative
    self.segments = segments
    steps = CompiledPath.steps(of: segments)
  }
}

/// A call of one of the five function extensions (RFC 9535 §2.4).
struct FunctionCall: Hashable, Sendable {
  var function: Function
  var arguments: [Operand]
}

enum Function: String, Hashable, Sendable {
  case length, count, match, search, value

  /// Whether the result is true or false by itself, and so cannot be compared; the others must be.
  var isLogical: Bool { self == .match || self == .search }

  /// Whether an argument is a list of nodes, which any query gives; the others take a single value.
  var takesNodes: Bool { self == .count || self == .value }

  var argumentCount: Int { isLogical ? 2 : 1 }
}
