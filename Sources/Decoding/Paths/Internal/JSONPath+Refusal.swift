extension JSONPath {
  static let functionRefusal = "functions in filters need the document's bytes"

  /// Returns why the path cannot be evaluated with an arbitrary decoder; nil if it can.
  static func refusal(in segments: [Segment]) -> String? {
    for segment in segments {
      if segment.isDescendant { return "descendants (`..`) need the document's bytes" }
      for case .filter(let expression) in segment.selectors {
        if let reason = refusal(in: expression) { return reason }
      }
    }
    return nil
  }

  private static func refusal(in expression: LogicalExpression) -> String? {
    switch expression {
    case .or(let terms), .and(let terms): terms.lazy.compactMap(refusal).first
    case .not(let term): refusal(in: term)
    case .exists(let query): refusal(in: query)
    case .test: functionRefusal
    case .comparison(let left, _, let right): [left, right].lazy.compactMap(refusal).first
    }
  }

  private static func refusal(in operand: Operand) -> String? {
    switch operand {
    case .literal: nil
    case .query(let query): refusal(in: query)
    case .call: functionRefusal
    }
  }

  private static func refusal(in query: FilterQuery) -> String? {
    query.isRelative ? refusal(in: query.segments) : "`$` in a filter needs the document's bytes"
  }
}

/// Reports that a path is valid but cannot be evaluated where it is used.
struct UnsupportedPath: Error, CustomStringConvertible {
  var path: JSONPath
  var reason: String

  var description: String { "\(path): \(reason)" }
}

/// Reports that a path with a filter, slice or wildcard selects nothing below the value of a `DecodingError`.
struct EmptySelection: Error, CustomStringConvertible {
  let path: JSONPath

  var description: String { "\(path) selects nothing." }
}
