extension JSONDocument {
  /// Finds the values that a path leads to, with their places, in the order of RFC 9535; none is an empty array.
  ///
  /// Costs the evaluation of the path and one more pass, up to the last of the values; all of them are checked to be
  /// JSON. Takes memory for the values that are selected and what is around them. ``limits`` and the cancellation of
  /// the task end it, and a missing name or index gives no values, as for ``values(_:at:)``.
  ///
  /// - Throws: ``DecodingFailure`` for a path that is not one, or that steps into the wrong kind of value, and where
  ///   the document is not JSON.
  public func nodes(at path: JSONPath) throws(DecodingFailure) -> [JSONNode] {
    if let error = path.compiled.error { throw DecodingFailure(error) }
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
        return matches.map { JSONNode(table: table, place: table.place(of: $0)) }
      } catch {
        throw state.failure(error, at: path)
      }
    }
  }
}
