/// One segment of a path: its selectors are applied to the children of a value, or to those of all its descendants.
struct Segment: Hashable, Sendable {
  var isDescendant = false
  var selectors: [Selector]

  init(isDescendant: Bool = false, selectors: [Selector]) {
    self.isDescendant = isDescendant
    self.selectors = selectors
  }

  init(_ step: PathStep) {
    switch step {
    case .name(let name): self.init(selectors: [.name(name)])
    case .index(let index): self.init(selectors: [.index(index)])
    }
  }

  /// The step, when the segment selects at most one child.
  var step: PathStep? {
    guard !isDescendant, selectors.count == 1 else { return nil }
    switch selectors[0] {
    case .name(let name): return .name(name)
    case .index(let index): return .index(index)
    case .wildcard, .slice, .filter: return nil
    }
  }
}

/// One selector between the brackets of a segment.
enum Selector: Hashable, Sendable {
  case name(ByteString)
  case wildcard
  case index(Int)
  case slice(Slice)
  case filter(LogicalExpression)
}

/// `start:end:step` over the elements of an array.
struct Slice: Hashable, Sendable {
  var start: Int?
  var end: Int?
  var step = 1

  /// The indices selected from an array of `count` elements, in their order (RFC 9535 §2.3.4.2.2).
  func indices(count: Int) -> StrideTo<Int> {
    func normalized(_ index: Int) -> Int { index >= 0 ? index : count + index }
    if step > 0 {
      let lower = min(max(normalized(start ?? 0), 0), count)
      let upper = min(max(normalized(end ?? count), 0), count)
      return stride(from: lower, to: max(lower, upper), by: step)
    }
    if step < 0 {
      let upper = min(max(normalized(start ?? count - 1), -1), count - 1)
      let lower = end.map { min(max(normalized($0), -1), count - 1) } ?? -1
      return stride(from: upper, to: min(lower, upper), by: step)
    }
    return stride(from: 0, to: 0, by: 1)
  }
}

/// One step of a singular path.
enum PathStep: Hashable, Sendable {
  case name(ByteString)
  case index(Int)
}
