@testable import Decoding

/// A value that a path has selected: the steps to it, and where it is.
struct Selected {
  var path: JSONPath
  var range: Range<Int>
}

/// What a path selects from the value that starts at an offset; `limit` is one of work.
func select(
  _ path: JSONPath, from start: Int = 0, in bytes: UnsafeRawBufferPointer, limit: Int? = nil, first: Bool = false
) throws -> [Selected] {
  let state = DecodingState()
  state.begin(ByteView(bytes))
  return try withExtendedLifetime(state) {
    let scanner = state.scanner
    var evaluator = PathEvaluator(
      scanner, root: start, meter: JSONPathLimits(work: limit).meter(bytes: bytes.count))
    var nodes: [PathNode] = []
    try evaluator.select(path.compiled.segments, of: evaluator.root) { node in
      nodes.append(node)
      return !first
    }
    return try nodes.map { node in
      let end = scanner.endOfValue(node.offset, depth: node.depth)
      guard end >= 0 else { throw EvaluationError.malformed }
      let steps = scanner.steps(from: evaluator.root.offset, to: node.offset).map(PathStep.init)
      return Selected(path: JSONPath(CompiledPath(steps: steps)), range: node.offset..<end)
    }
  }
}

/// The number of nodes that a path selects from a document, found within a limit of work.
func count(_ path: String, _ text: String, limit: Int? = nil) throws -> Int {
  let path = try JSONPath(parsing: path)
  return try Array(text.utf8).withUnsafeBytes { bytes in
    let state = DecodingState()
    state.begin(ByteView(bytes))
    return try withExtendedLifetime(state) {
      var evaluator = PathEvaluator(state.scanner, meter: JSONPathLimits(work: limit).meter(bytes: bytes.count))
      var count = 0
      try evaluator.select(path.compiled.segments, of: evaluator.root) { _ in
        count += 1
        return true
      }
      return count
    }
  }
}
