/// Evaluates a path on the bytes of a document according to RFC 9535, without building values.
///
/// Nodes are visited one at a time in the order of the standard, depth first. A visitor can stop, and then nothing
/// after the last node is read. Skipped parts are validated as the scanner's validation specifies. If several members
/// have the same name, a name selects the first; wildcards, filters and descendants visit them all.
///
/// Visited nodes are not stored. A descendant segment indexes the objects and arrays of the document, at 8 bytes each.
/// The meter limits both time and memory.
struct PathEvaluator {
  let scanner: JSONScanner
  /// The value that `$` refers to inside filters.
  let root: PathNode
  var meter: WorkMeter
  /// The ends of the containers, once a descendant segment has needed them.
  var index: ContainerIndex?
  /// The object member that was read last; the rest of the object begins after it.
  var resume = (object: -1, member: -1)
  private var nesting = 0
  /// The results of queries from `$` inside filters, by number; they are the same for every child.
  var answers: [Int: [PathNode]] = [:]
  var expressions = RegexpCache()

  /// Recursion depth depends on the path's segments and the nesting of its filters; this limits both together.
  private static let maximumNesting = 200

  /// Receives a node and returns whether to continue.
  typealias Visit = (PathNode) -> Bool

  /// - Parameters:
  ///   - scanner: The scanner; it must not be used for another document while the evaluator is in use.
  ///   - offset: The start of the root value, with or without whitespace before it.
  init(_ scanner: JSONScanner, root offset: Int = 0, meter: WorkMeter) {
    self.scanner = scanner
    self.meter = meter
    root = PathNode(offset: scanner.text.skipSpace(offset), depth: 0)
  }

  /// Visits what the segments from `position` on select from a node; returns false if the visitor stopped.
  @discardableResult
  mutating func select(
    _ segments: [Segment], from position: Int = 0, of start: PathNode, _ visit: Visit
  ) throws(EvaluationError) -> Bool {
    var node = start
    var position = position
    // Names and indices need no recursion.
    while position < segments.count, segments[position].isStep {
      guard let child = try child(segments[position].selectors[0], of: node) else { return true }
      node = child
      position += 1
    }
    guard position < segments.count else { return try visitMatch(node, visit) }

    nesting += 1
    defer { nesting -= 1 }
    guard nesting <= Self.maximumNesting else { throw .limit("the path is nested too deeply") }
    return segments[position].isDescendant
      ? try applyToContainers(in: node, segments, position, visit) : try apply(to: node, segments, position, visit)
  }

  private mutating func visitMatch(_ node: PathNode, _ visit: Visit) throws(EvaluationError) -> Bool {
    _ = try kind(of: node)
    try meter.spend(WorkMeter.match)
    guard visit(node) else { return false }
    // A visitor that decoded the value recorded its end in the scanner, and is charged for the bytes.
    if scanner.core.pointee.lastStart == node.offset {
      try meter.spend((scanner.core.pointee.lastEnd &- node.offset) &* WorkMeter.decodedByte)
    }
    return true
  }

  /// Applies the selectors of the segment at `position`, and the segments after it, to a node.
  private mutating func apply(
    to node: PathNode, _ segments: [Segment], _ position: Int, _ visit: Visit
  ) throws(EvaluationError) -> Bool {
    for selector in segments[position].selectors {
      let goesOn: Bool
      switch selector {
      case .name, .index:
        guard let child = try child(selector, of: node) else { continue }
        goesOn = try select(segments, from: position + 1, of: child, visit)
      case .wildcard: goesOn = try applyToChildren(of: node, nil, segments, position, visit)
      case .filter(let filter): goesOn = try applyToChildren(of: node, filter, segments, position, visit)
      case .slice(let slice): goesOn = try apply(slice, to: node, segments, position, visit)
      }
      guard goesOn else { return false }
    }
    return true
  }

  private mutating func applyToChildren(
    of node: PathNode, _ filter: LogicalExpression?, _ segments: [Segment], _ position: Int, _ visit: Visit
  ) throws(EvaluationError) -> Bool {
    guard var children = try children(of: node) else { return true }
    while try advance(&children) {
      let child = PathNode(children)
      if let filter, try !holds(filter, for: child) {
        try leave(child)
      } else {
        guard try select(segments, from: position + 1, of: child, visit) else { return false }
      }
    }
    return true
  }

  /// Applies a segment to the node itself and to every object and array below it, each before its children.
  private mutating func applyToContainers(
    in node: PathNode, _ segments: [Segment], _ position: Int, _ visit: Visit
  ) throws(EvaluationError) -> Bool {
    switch try kind(of: node) {
    case .object, .array: break
    case .string, .number, .boolean, .null: return true
    }
    guard let (first, spans) = try containers(from: node) else { return true }
    let end = spans[first].end
    // The ends of the containers around the current one, which give its depth.
    var enclosing: [UInt32] = []
    for place in first..<spans.count {
      let span = spans[place]
      guard span.start < end else { break }
      while let last = enclosing.last, last <= span.start { enclosing.removeLast() }
      try meter.spend(WorkMeter.value)
      let container = PathNode(offset: Int(span.start), depth: node.depth + enclosing.count)
      guard try apply(to: container, segments, position, visit) else { return false }
      enclosing.append(span.end)
    }
    return true
  }

  private mutating func apply(
    _ slice: Slice, to node: PathNode, _ segments: [Segment], _ position: Int, _ visit: Visit
  ) throws(EvaluationError) -> Bool {
    guard slice.step != 0, try kind(of: node) == .array, var children = try children(of: node) else { return true }
    let (lower, upper) = slice.bounds(count: slice.countsFromTheEnd ? try count(of: node) : .max)
    guard lower < upper else { return true }
    var backwards: [PathNode] = []
    while try advance(&children) {
      let index = children.index
      let child = PathNode(children)
      if slice.step > 0, index >= lower, (index - lower) % slice.step == 0 {
        guard try select(segments, from: position + 1, of: child, visit) else { return false }
      } else if slice.step < 0, index > lower, (upper - index) % slice.step == 0 {
        try meter.spend(WorkMeter.entry)
        backwards.append(child)
      }
      if index >= (slice.step > 0 ? upper - 1 : upper) { break }
    }
    for child in backwards.reversed() {
      guard try select(segments, from: position + 1, of: child, visit) else { return false }
    }
    return true
  }
}

/// Why a path could not be evaluated on a document.
enum EvaluationError: Error {
  /// The document is not JSON; the scanner has the offset.
  case malformed
  /// The path exceeds a limit, with a description of it.
  case limit(String)
  case cancelled
}
