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

  /// Returns the values that a path selects, together with their locations, in the order that RFC 9535 defines. The
  /// array is empty if the path selects no values.
  ///
  /// Finding the values takes one evaluation of the path plus one more pass up to the last selected value. All selected
  /// values are validated as JSON. Memory use is proportional to the number of selected values and their enclosing
  /// containers. As in ``values(_:at:)``, the evaluation stops if it exceeds one of the ``limits`` or if the task is
  /// cancelled, and a name or index that does not exist yields an empty array.
  ///
  /// - Throws: ``LocatedDecodingError`` if the path is invalid or steps into the wrong kind of value, or if the
  ///   document is not JSON.
  public func nodes(at path: JSONPath) throws(LocatedDecodingError) -> [JSONNode] {
    if let error = path.compiled.error { throw LocatedDecodingError(error) }
    return try withState { state, part in
      var matches: [UInt32] = []
      var meter = limits.meter(bytes: part.text.count)
      let root = part.text.skipSpace(0)
      try state.select(path, expected: JSONValue.self, &meter, &part) { node, _ in
        matches.append(UInt32(truncatingIfNeeded: node.offset))
        return true
      }
      do throws(EvaluationError) {
        try meter.spend(matches.count &* WorkMeter.entry)
        var starts: [UInt32] = []
        for start in matches.sorted() where start != starts.last { starts.append(start) }
        var survey = NodeSurvey(state.scanner, values: starts, meter: meter)
        try survey.run(from: root)
        let table = NodeTable(document: self, values: survey.values, steps: survey.steps)
        return matches.map { JSONNode(table: table, index: table.index(of: $0)) }
      } catch {
        throw state.failure(error, at: path)
      }
    }
  }
}

extension DecodingState {
  /// Calls the visitor for each value that a path selects in the document; the visitor returns whether to continue.
  ///
  /// The path is strict before the first segment that can select several values. A name or index there that does not
  /// exist is returned.
  @discardableResult
  func select(
    _ path: JSONPath, expected: Any.Type, _ meter: inout WorkMeter, _ part: inout TextPart,
    _ visit: (PathNode, inout TextPart) throws -> Bool
  ) throws -> StepOutcome? {
    let prefix = path.compiled.prefixSteps
    part.origin = .steps(prefix)
    switch scanner.follow(prefix, from: 0) {
    case .found(let offset): part.start = offset
    case .missing(let step, let container): return .missing(step: step, container: container)
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
    return nil
  }

  /// Returns the error to throw for a path that could not be evaluated.
  func failure(_ error: EvaluationError, at path: JSONPath) -> any Error {
    if case .malformed = error { syntaxError() } else { LocatedDecodingError(error, at: path) }
  }

  /// Finds the value at a path, or the first one if it selects several, and returns where it ends.
  ///
  /// Nothing after the value is read unless the path is the whole document.
  func find(_ path: JSONPath, expected: Any.Type, _ part: inout TextPart) throws -> Int {
    if let error = path.compiled.error { throw LocatedDecodingError(error) }
    let steps = path.compiled.steps
    var isFound = false
    var meter = JSONPathLimits().meter(bytes: part.text.count)
    let missing = try select(path, expected: expected, &meter, &part) { node, part in
      part.start = node.offset
      if steps == nil { part.origin = .match(depth: node.depth) }
      isFound = true
      return false
    }
    if let missing {
      throw LocatedDecodingError(missing, of: path.compiled.prefixSteps, expected: expected, in: document(part))
    }
    guard isFound else { throw LocatedDecodingError(nothingAt: path, expected: expected) }
    if steps?.isEmpty == true { part.origin = .document }
    let end = scanner.endOfValue(part.start, depth: part.depth)
    let tail = end >= 0 && part.isDocument ? part.text.skipSpace(end) : part.text.count
    if end >= 0, tail < part.text.count { scanner.setFault(tail) }
    guard scanner.core.pointee.fault < 0 else { throw syntaxError() }
    return end
  }
}
