/// The condition of a filter, which is evaluated for each child (RFC 9535 §2.3.5).
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
  case number(NumberLiteral)
  case bool(Bool)
  case null
}

/// A number in a path.
struct NumberLiteral: Hashable, Sendable {
  let text: String
  let exact: ExactNumber
  /// The nearest double, or infinity.
  let rounded: Double

  /// - Parameter text: A number in JSON's grammar.
  init(_ text: String) {
    self.text = text
    exact = ExactNumber(text.utf8)
    var end = 0
    rounded = text.withByteView { $0.double(0, &end) }
  }
}

/// A path inside a filter, from the current child (`@`) or from the document (`$`).
struct FilterQuery: Sendable {
  let isRelative: Bool
  let segments: [Segment]
  /// The steps, if the query is singular.
  let steps: [PathStep]?
  /// A different number for each query of a path.
  let number: Int

  init(isRelative: Bool, segments: [Segment], number: Int) {
    self.isRelative = isRelative
    self.segments = segments
    self.number = number
    steps = CompiledPath.steps(of: segments)
  }
}

extension FilterQuery: Hashable {
  static func == (left: FilterQuery, right: FilterQuery) -> Bool {
    left.isRelative == right.isRelative && left.segments == right.segments
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(isRelative)
    hasher.combine(segments)
  }
}

/// A call of one of the five function extensions (RFC 9535 §2.4).
struct FunctionCall: Hashable, Sendable {
  var function: Function
  var arguments: [Operand]
}

enum Function: String, Hashable, Sendable {
  case length, count, match, search, value

  /// Whether the result is a truth value, which cannot be compared; the results of other functions must be.
  var isLogical: Bool { self == .match || self == .search }

  /// Whether the arguments are node lists, which any query yields; the other functions accept single values.
  var takesNodes: Bool { self == .count || self == .value }

  var argumentCount: Int { isLogical ? 2 : 1 }
}
