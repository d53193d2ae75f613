extension DecodingState {
  /// Finds the value at a path, or the first one if it selects several, and returns where it ends.
  ///
  /// Nothing after the value is read unless the path is the whole document. The path is strict before the first segment
  /// that can select several values.
  func find(_ path: JSONPath, expected: Any.Type, _ part: inout TextPart) throws -> Int {
    if let error = path.compiled.error { throw LocatedDecodingError(error) }
    let prefix = path.compiled.prefixSteps
    let isDocument = path.compiled.steps?.isEmpty == true
    if !isDocument { part.origin = .steps(prefix) }
    switch scanner.follow(prefix, from: 0) {
    case .found(let offset): part.start = offset
    case .none: throw syntaxError()
    case .some(let outcome): throw LocatedDecodingError(outcome, of: prefix, expected: expected, in: document(part))
    }
    if path.compiled.steps == nil { try findFirst(path, expected: expected, &part) }
    let end = scanner.endOfValue(part.start, depth: part.depth)
    let tail = end >= 0 && isDocument ? part.text.skipSpace(end) : part.text.count
    if end >= 0, tail < part.text.count { scanner.setFault(tail) }
    guard scanner.core.pointee.fault < 0 else { throw syntaxError() }
    return end
  }

  private func findFirst(_ path: JSONPath, expected: Any.Type, _ part: inout TextPart) throws {
    var first: PathNode?
    do throws(EvaluationError) {
      var evaluator = PathEvaluator(scanner, meter: JSONPathLimits().meter(bytes: part.text.count))
      let prefix = path.compiled.prefixSteps.count
      let start = PathNode(offset: part.start, depth: prefix)
      try evaluator.select(path.compiled.segments, from: prefix, of: start) { node in
        first = node
        return false
      }
    } catch {
      throw failure(error, at: path)
    }
    guard let first else { throw LocatedDecodingError(nothingAt: path, expected: expected) }
    part.start = first.offset
    part.origin = .match(depth: first.depth)
  }
}
