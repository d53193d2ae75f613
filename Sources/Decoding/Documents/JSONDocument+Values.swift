extension JSONDocument {
  /// Decodes the values that a path leads to, as far as the limit, each as soon as it is found.
  func values<T: Decodable>(
    _ type: T.Type, at path: JSONPath, limit: Int
  ) throws(DecodingFailure) -> [T] {
    try withState { state, part in
      var values: [T] = []
      var meter = limits.meter(bytes: part.text.count)
      try state.select(path, expected: type, &meter, &part) { node, part in
        part.start = node.offset
        part.origin = .match(depth: node.depth)
        values.append(try state.decode(type, part))
        return values.count < limit
      }
      return values
    }
  }
}

extension DecodingState {
  /// Visits what a path selects in the document; a visitor answers whether to go on.
  func select(
    _ path: JSONPath, expected: Any.Type, _ meter: inout WorkMeter, _ part: inout TextPart,
    _ visit: (PathNode, inout TextPart) throws -> Bool
  ) throws {
    // Before the first segment that may select several values the path is strict.
    let prefix = path.compiled.prefixSteps
    part.origin = .steps(prefix)
    switch scanner.follow(prefix, from: 0) {
    case .found(let offset): part.start = offset
    case .missing: return
    case .none: throw syntaxError()
    case .some(let outcome): throw DecodingFailure(outcome, of: prefix, expected: expected, in: document(part))
    }
    var failure: (any Error)?
    let start = PathNode(offset: part.start, depth: prefix.count)
    var evaluator = PathEvaluator(scanner, meter: meter)
    defer { meter = evaluator.meter }
    do throws(EvaluationError) {
      try evaluator.select(path.compiled.segments, from: prefix.count, of: start) { node in
        do {
          return try visit(node, &part)
        } catch {
          failure = error
          return false
        }
      }
    } catch {
      throw self.failure(error, at: path)
    }
    if let failure { throw failure }
  }

  /// The error that becomes of a path that could not be evaluated.
  func failure(_ error: EvaluationError, at path: JSONPath) -> any Error {
    if case .malformed = error { syntaxError() } else { DecodingFailure(error, at: path) }
  }
}
