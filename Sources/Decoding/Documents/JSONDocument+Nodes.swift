extension JSONDocument {
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
        return matches.map { JSONNode(table: table, place: table.place(of: $0)) }
      } catch {
        throw state.failure(error, at: path)
      }
    }
  }
}
