extension JSONDocument {
  /// Decodes the values that a path leads to, as far as the limit.
  func values<T: Decodable>(
    _ type: T.Type, at path: JSONPath, limit: Int
  ) throws(DecodingFailure) -> [T] {
    try withState { state, part in
      // Before the first segment that may select several values the path is strict.
      let prefix = path.compiled.prefixSteps
      part.steps = prefix
      switch state.reader.follow(prefix, from: 0) {
      case .found(let offset): part.start = offset
      case .missing: return []
      case .none: throw state.syntaxError()
      case .some(let outcome): throw DecodingFailure(outcome, of: prefix, expected: type, in: state.document(part))
      }
      var values: [T] = []
      for match in try matches(path, part, state, limit: limit) {
        part.start = match.offset
        part.steps = match.steps
        values.append(try state.decode(type, part))
      }
      return values
    }
  }

  /// Where the values start that a path selects, and the steps to each, from the value of the part on.
  private func matches(
    _ path: JSONPath, _ part: TextPart, _ state: DecodingState, limit: Int
  ) throws(DecodingFailure) -> [(offset: Int, steps: [PathStep])] {
    let document = state.document(part)
    let prefix = document.baseSteps
    var matches: [(offset: Int, steps: [PathStep])] = []
    do throws(EvaluationError) {
      let evaluation = PathEvaluation(document.bytes)
      let rest = path.compiled.segments[prefix.count...]
      try evaluation.select(rest, from: PathNode(offset: document.base)) { node throws(EvaluationError) in
        matches.append((node.offset, prefix + (node.trail?.steps(with: evaluation.reader) ?? [])))
        return matches.count < limit
      }
    } catch {
      throw DecodingFailure(error, at: path, in: document)
    }
    return matches
  }
}
