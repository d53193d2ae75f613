extension JSONDocument {
  /// Decodes the values that a path leads to, as far as the limit, each as soon as it is found.
  func values<T: Decodable>(
    _ type: T.Type, at path: JSONPath, limit: Int
  ) throws(DecodingFailure) -> [T] {
    try withState { state, part in
      // Before the first segment that may select several values the path is strict.
      let prefix = path.compiled.prefixSteps
      part.origin = .steps(prefix)
      switch state.scanner.follow(prefix, from: 0) {
      case .found(let offset): part.start = offset
      case .missing: return []
      case .none: throw state.syntaxError()
      case .some(let outcome): throw DecodingFailure(outcome, of: prefix, expected: type, in: state.document(part))
      }
      var values: [T] = []
      var failure: (any Error)?
      let start = PathNode(offset: part.start, depth: prefix.count)
      do throws(EvaluationError) {
        var evaluator = PathEvaluator(state.scanner, meter: limits.meter(bytes: part.text.count))
        try evaluator.select(path.compiled.segments, from: prefix.count, of: start) { node in
          part.start = node.offset
          part.origin = .match(depth: node.depth)
          do {
            values.append(try state.decode(type, part))
            return values.count < limit
          } catch {
            failure = error
            return false
          }
        }
      } catch {
        throw state.failure(error, at: path)
      }
      if let failure { throw failure }
      return values
    }
  }
}

extension DecodingState {
  /// The error that becomes of a path that could not be evaluated.
  func failure(_ error: EvaluationError, at path: JSONPath) -> any Error {
    if case .malformed = error { syntaxError() } else { DecodingFailure(error, at: path) }
  }
}
