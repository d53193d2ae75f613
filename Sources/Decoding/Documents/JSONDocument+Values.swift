extension JSONDocument {
  /// Decodes the values that a path selects, up to a limit, each as soon as it is found.
  func values<T: Decodable>(
    _ type: T.Type, at path: JSONPath, limit: Int
  ) throws(LocatedDecodingError) -> [T] {
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
  /// Calls the visitor for each value that a path selects in the document; the visitor returns whether to continue.
  func select(
    _ path: JSONPath, expected: Any.Type, _ meter: inout WorkMeter, _ part: inout TextPart,
    _ visit: (PathNode, inout TextPart) throws -> Bool
  ) throws {
    // The path is strict before the first segment that can select several values.
    let prefix = path.compiled.prefixSteps
    part.origin = .steps(prefix)
    switch scanner.follow(prefix, from: 0) {
    case .found(let offset): part.start = offset
    case .missing: return
    case .none: throw syntaxError()
    case .some(let outcome): throw LocatedDecodingError(outcome, of: prefix, expected: expected, in: document(part))
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

  /// Returns the error to throw for a path that could not be evaluated.
  func failure(_ error: EvaluationError, at path: JSONPath) -> any Error {
    if case .malformed = error { syntaxError() } else { LocatedDecodingError(error, at: path) }
  }
}
