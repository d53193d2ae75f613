/// One segment of a path: its selectors are applied to the children of a value, or to those of all its descendants.
struct Segment: Hashable, Sendable {
  let isDescendant: Bool
  let selectors: [Selector]
  /// The step, if the segment selects at most one child.
  let step: PathStep?
  let isStep: Bool

  init(isDescendant: Bool = false, selectors: [Selector]) {
    self.isDescendant = isDescendant
    self.selectors = selectors
    switch selectors.first {
    case .name(let name) where !isDescendant && selectors.count == 1: step = .name(name)
    case .index(let index) where !isDescendant && selectors.count == 1: step = .index(index)
    default: step = nil
    }
    isStep = step != nil
  }

  init(_ step: PathStep) {
    switch step {
    case .name(let name): self.init(selectors: [.name(name)])
    case .index(let index): self.init(selectors: [.index(index)])
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

  /// Whether the elements have to be counted before the first selected one is known.
  var countsFromTheEnd: Bool { step < 0 || (start ?? 0) < 0 || (end ?? 0) < 0 }

  /// Returns the bounds in an array of `count` elements (RFC 9535 §2.3.4.2.2). For a positive step these are the first
  /// index and the one after the last. For a negative step they are the index before the last one and the first.
  func bounds(count: Int) -> (lower: Int, upper: Int) {
    func normalized(_ index: Int) -> Int { index >= 0 ? index : count + index }
    if step >= 0 {
      return (min(max(normalized(start ?? 0), 0), count), min(max(normalized(end ?? count), 0), count))
    }
    let upper = min(max(normalized(start ?? count - 1), -1), count - 1)
    return (end.map { min(max(normalized($0), -1), count - 1) } ?? -1, upper)
  }

  /// Returns the selected indices of an array of `count` elements, in order.
  func indices(count: Int) -> StrideTo<Int> {
    guard step != 0 else { return stride(from: 0, to: 0, by: 1) }
    let (lower, upper) = bounds(count: count)
    return step > 0
      ? stride(from: lower, to: max(lower, upper), by: step) : stride(from: upper, to: min(lower, upper), by: step)
  }
}

/// One step of a singular path.
enum PathStep: Hashable, Sendable {
  case name(ByteString)
  case index(Int)
}
