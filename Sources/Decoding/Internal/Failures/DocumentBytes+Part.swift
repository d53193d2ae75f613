extension DocumentBytes {
  /// The value that a path leads to, of several the first: its bytes, and the steps to it.
  ///
  /// What lies behind it is not read, unless the path is the whole document.
  func part(
    at path: JSONPath, expected: Any.Type
  ) throws(DecodingFailure) -> (range: Range<Int>, steps: [PathStep]) {
    if let error = path.compiled.error { throw DecodingFailure(error) }
    guard let steps = path.compiled.steps else { return try firstPart(at: path, expected: expected) }
    let outcome: StepOutcome
    do throws(JSONSyntaxError) {
      var reader = ByteReader(bytes)
      outcome = try reader.follow(steps)
      if case .found(let start) = outcome {
        if steps.isEmpty {
          try reader.skipDocument()
        } else {
          try reader.skipValue()
        }
        return (start..<reader.offset, steps)
      }
    } catch {
      throw DecodingFailure(error, in: self)
    }
    throw DecodingFailure(outcome, of: steps, expected: expected, in: self)
  }

  /// The first value that a path selects which may select several. Before the first such segment it is strict.
  private func firstPart(
    at path: JSONPath, expected: Any.Type
  ) throws(DecodingFailure) -> (range: Range<Int>, steps: [PathStep]) {
    let prefix = path.compiled.prefixSteps
    var first: (range: Range<Int>, steps: [PathStep])?
    var outcome: StepOutcome?  // where the strict part has failed
    do throws(EvaluationError) {
      let evaluation = PathEvaluation(bytes)
      let reached = try evaluation.follow(prefix)
      if case .found(let offset) = reached {
        let rest = path.compiled.segments[prefix.count...]
        try evaluation.select(rest, from: PathNode(offset: offset)) { node throws(EvaluationError) in
          first = (try evaluation.range(of: node), prefix + (node.trail?.steps(with: evaluation.reader) ?? []))
          return false
        }
      } else {
        outcome = reached
      }
    } catch {
      throw DecodingFailure(error, at: path, in: self)
    }
    if let first { return first }
    guard let outcome else { throw DecodingFailure(nothingAt: path, expected: expected) }
    throw DecodingFailure(outcome, of: prefix, expected: expected, in: self)
  }
}
