/// The parts of a common path with a filter: `list[?…].rest.name`.
struct FilteredPlace: Sendable {
  /// The steps to the value that is filtered.
  let list: PathPrefix
  let filter: LogicalExpression
  /// The steps after the filter, except for the last, which is a name.
  let rest: [PathStep]

  /// Nil for paths of any other form.
  init?(_ segments: [Segment], prefix: ([PathStep]) -> PathPrefix) {
    guard let place = segments.firstIndex(where: { $0.step == nil }), place < segments.count - 1 else { return nil }
    let segment = segments[place]
    guard !segment.isDescendant, segment.selectors.count == 1, case .filter(let filter) = segment.selectors[0],
      let list = CompiledPath.steps(of: Array(segments[..<place])),
      let rest = CompiledPath.steps(of: Array(segments[(place + 1)..<(segments.count - 1)])),
      !rest.contains(where: Self.countsFromTheEnd)
    else { return nil }
    self.list = prefix(list)
    self.filter = filter
    self.rest = rest
  }

  private static func countsFromTheEnd(_ step: PathStep) -> Bool {
    if case .index(let index) = step { index < 0 } else { false }
  }
}
