/// Evaluates a path on the bytes of a document, as RFC 9535 has it, without building values.
///
/// Nodes come in the order of the standard, depth first, one at a time: whoever visits them may stop, and nothing
/// behind the last one is read then. What is passed over is validated. Of members with the same name a name selects
/// the first; wildcards, filters and descendants visit them all.
///
/// Memory: nothing but the steps to the current node, unless the path has a descendant segment, which indexes the
/// objects and arrays of the document (32 bytes each). Time is bounded by a budget in proportion to the document.
final class PathEvaluation {
  let reader: ByteReader
  let root: PathNode
  var index: ContainerIndex?
  private var work = 0
  private let workLimit: Int
  private var nesting = 0
  /// What queries from `$` inside filters gave: they mean the same for every child that is asked.
  var rootAnswers: [FilterQuery: [PathNode]] = [:]
  var expressions: [[UInt8]: IRegexp?] = [:]

  /// Recursion goes by the path's segments and the nesting of its filters, and this bounds both together.
  private static let maximumNesting = 200

  /// A value that is looked at costs about as much time as so many bytes that are passed over.
  static let workPerValue = 32

  typealias Visit = (PathNode) throws(EvaluationError) -> Bool

  /// - Parameters:
  ///   - bytes: The document in UTF-8. It must stay valid as long as the evaluation is used.
  ///   - offset: Where the root value starts.
  ///   - workLimit: Roughly the number of bytes that may be stepped over in all.
  init(_ bytes: UnsafeRawBufferPointer, at offset: Int = 0, workLimit: Int? = nil) {
    reader = ByteReader(bytes)
    root = PathNode(offset: offset)
    self.workLimit = workLimit ?? max(1 << 28, bytes.count.multipliedReportingOverflow(by: 64).partialValue)
  }

  /// Visits what the segments select from a node; false when the visitor has stopped.
  @discardableResult
  func select(_ segments: ArraySlice<Segment>, from start: PathNode, _ visit: Visit) throws(EvaluationError) -> Bool {
    var node = start
    var rest = segments
    // Names and indices need no recursion.
    while let step = rest.first?.step {
      guard let child = try child(step, of: node) else { return true }
      node = child
      rest = rest.dropFirst()
    }
    guard let segment = rest.first else { return try visit(node) }

    nesting += 1
    defer { nesting -= 1 }
    guard nesting <= Self.maximumNesting else { throw .tooMuch("the path is nested too deeply") }
    let following = rest.dropFirst()
    func next(_ child: PathNode) throws(EvaluationError) -> Bool { try select(following, from: child, visit) }
    guard segment.isDescendant else { return try apply(segment.selectors, to: node, next) }
    return try forEachContainer(in: node) { container throws(EvaluationError) in
      try self.apply(segment.selectors, to: container, next)
    }
  }

  /// Charges for work done.
  func spend(_ amount: Int) throws(EvaluationError) {
    work += amount
    guard work <= workLimit else { throw .tooMuch("the path asks for too much work on this document") }
  }

  private func apply(_ selectors: [Selector], to node: PathNode, _ visit: Visit) throws(EvaluationError) -> Bool {
    for selector in selectors {
      let goesOn: Bool
      switch selector {
      case .name(let name): goesOn = try visitIfFound(child(.name(name), of: node), visit)
      case .index(let index): goesOn = try visitIfFound(child(.index(index), of: node), visit)
      case .wildcard: goesOn = try forEachChild(of: node, visit)
      case .slice(let slice): goesOn = try apply(slice, to: node, visit)
      case .filter(let expression):
        goesOn = try forEachChild(of: node) { child throws(EvaluationError) in
          try self.holds(expression, for: child) ? try visit(child) : true
        }
      }
      guard goesOn else { return false }
    }
    return true
  }

  private func visitIfFound(_ node: PathNode?, _ visit: Visit) throws(EvaluationError) -> Bool {
    guard let node else { return true }
    return try visit(node)
  }

  private func apply(_ slice: Slice, to node: PathNode, _ visit: Visit) throws(EvaluationError) -> Bool {
    guard try kind(of: node) == .array else { return true }
    // Only the places of the elements are kept, since a slice may count from the end or run backwards.
    var elements: [PathNode] = []
    _ = try forEachChild(of: node) { child throws(EvaluationError) in
      elements.append(child)
      return true
    }
    for index in slice.indices(count: elements.count) {
      guard try visit(elements[index]) else { return false }
    }
    return true
  }
}
