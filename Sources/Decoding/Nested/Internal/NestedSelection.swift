/// Evaluates a path that is not singular on the values of any decoder.
///
/// A decoder reveals less than bytes do: it has no order of members and no unknown values. So names, indices, slices,
/// wildcards and filters that compare scalars are supported. Everything else needs a decoder of this module, whose
/// bytes are evaluated, and is otherwise rejected before anything is decoded; see ``JSONPath/refusal(in:)``.
///
/// It is separate from ``PathEvaluator``, which moves over bytes by offsets and cursors, in the order of the document,
/// with typed errors and work counted in bytes. Here a value is an object with the containers opened from it, each step
/// can throw the decoder's errors, and the kind of a value is known only from trying. Both share the parsed path, the
/// meter and exact numbers, but each has its own logic for filters.
final class NestedSelection {
  typealias Visit = (NestedValue) throws -> Bool

  let path: JSONPath
  /// The value that `$` refers to inside filters, for a path that needs the bytes.
  private let root: BytesDecoder?
  private var meter: WorkMeter

  /// A decoder does not report how large its document is, so the limit is the minimum for documents: two million
  /// values.
  init(path: JSONPath, root: BytesDecoder?) {
    self.path = path
    self.root = root
    meter = JSONPathLimits().meter(bytes: 0)
  }

  /// Visits what the segments select; returns false if the visitor stopped.
  @discardableResult
  func select(_ segments: ArraySlice<Segment>, from value: NestedValue, _ visit: Visit) throws -> Bool {
    if let root, let start = try value.decoder().asBytesDecoder {
      return try start.select(Array(segments), root: Int(root.value), visit)
    }
    try meter.spend(WorkMeter.decoderValue)
    guard let segment = segments.first else { return try visit(value) }
    let following = segments.dropFirst()
    for selector in segment.selectors {
      guard try apply(selector, to: value, { try self.select(following, from: $0, visit) }) else { return false }
    }
    return true
  }

  private func apply(_ selector: Selector, to value: NestedValue, _ visit: Visit) throws -> Bool {
    switch selector {
    case .name(let name):
      guard try value.isObject, let child = try value.member(AnyKey(stringValue: name.text)) else { return true }
      return try visit(child)
    case .index(let index):
      guard try value.isArray, let child = try value.openArray().element(index) else { return true }
      return try visit(child)
    case .slice(let slice):
      guard try value.isArray else { return true }
      let elements = try value.openArray().allElements()
      return try slice.indices(count: elements.count).allSatisfy { try visit(elements[$0]) }
    case .wildcard:
      return try forEachChild(of: value, visit)
    case .filter(let expression):
      return try forEachChild(of: value) { try self.holds(expression, for: $0) ? try visit($0) : true }
    }
  }

  private func forEachChild(of value: NestedValue, _ visit: Visit) throws -> Bool {
    if try value.isArray {
      let array = try value.openArray()
      var index = 0
      while let element = try array.element(index) {
        guard try visit(element) else { return false }
        index += 1
      }
      return true
    }
    guard try value.isObject else { return true }
    // Decoders do not preserve the order of members, and Foundation's order changes each time. Sorting by name at least
    // makes it stable.
    for key in try value.openObject().container.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
      guard let member = try value.member(key) else { continue }
      guard try visit(member) else { return false }
    }
    return true
  }

  private func holds(_ expression: LogicalExpression, for value: NestedValue) throws -> Bool {
    switch expression {
    case .or(let alternatives): return try alternatives.contains { try holds($0, for: value) }
    case .and(let terms): return try terms.allSatisfy { try holds($0, for: value) }
    case .not(let term): return try !holds(term, for: value)
    case .exists(let query): return try first(query.segments[...], from: value) != nil
    case .comparison(let left, let comparison, let right): return try compare(left, comparison, right, for: value)
    case .test: throw refusal(JSONPath.functionRefusal)
    }
  }

  func first(_ segments: ArraySlice<Segment>, from value: NestedValue) throws -> NestedValue? {
    var first: NestedValue?
    try select(segments, from: value) {
      first = $0
      return false
    }
    return first
  }

  private func compare(
    _ left: Operand, _ comparison: Comparison, _ right: Operand, for value: NestedValue
  ) throws -> Bool {
    let (left, right) = (try scalar(left, beside: right, for: value), try scalar(right, beside: left, for: value))
    guard let holds = comparison.holds(left, right) else {
      throw refusal("comparing objects or arrays needs the document's bytes")
    }
    return holds
  }

  private func scalar(_ operand: Operand, beside other: Operand, for value: NestedValue) throws -> Comparand {
    switch operand {
    case .literal(let literal): return Comparand(literal)
    case .query(let query):
      // The common case, a string in a member of the child, in one step.
      if let steps = query.steps, steps.count == 1, case .name(let name) = steps[0], case .literal(.string) = other,
        try value.isObject, let text = value.text(ofMember: AnyKey(stringValue: name.text))
      {
        return .string(Array(text.utf8))
      }
      guard let found = try first(query.segments[...], from: value) else { return .nothing }
      return try found.scalar(like: other)
    case .call: throw refusal(JSONPath.functionRefusal)
    }
  }

  private func refusal(_ reason: String) -> UnsupportedPath { UnsupportedPath(path: path, reason: reason) }
}

extension BytesDecoder {
  /// Visits what the segments select from the decoder's value; returns false if the visitor stopped.
  ///
  /// - Parameter root: The offset of the value that `$` refers to inside filters.
  fileprivate func select(_ segments: [Segment], root: Int, _ visit: NestedSelection.Visit) throws -> Bool {
    let scanner = state.scanner
    let depth = Int(scanner.node(state.liveNode(Int(node), value)).pointee.depth)
    let meter = JSONPathLimits().meter(bytes: scanner.text.count)
    var evaluator = PathEvaluator(scanner, root: root, meter: meter)
    var failure: (any Error)?
    let isComplete: Bool
    do throws(EvaluationError) {
      isComplete = try evaluator.select(segments, of: PathNode(offset: Int(value), depth: depth)) { match in
        let place = UInt32(truncatingIfNeeded: match.offset)
        let node = scanner.pushNode(place, parent: -1, key: 0, .root)
        scanner.node(node).pointee.depth = UInt16(truncatingIfNeeded: match.depth)
        let decoder = BytesDecoder(state: state, value: place, node: UInt32(truncatingIfNeeded: node))
        do {
          return try visit(NestedValue(decoder))
        } catch {
          failure = error
          return false
        }
      }
    } catch {
      if case .malformed = error { throw state.syntaxError() }
      throw error
    }
    if let failure { throw failure }
    return isComplete
  }
}
