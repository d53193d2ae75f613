/// The values that a path selected in a document, without duplicates, and the steps to them.
final class NodeTable: Sendable {
  /// A selected value.
  struct Value {
    var start: UInt32
    var end: UInt32 = 0
    /// Its last step; nil for the root value.
    var step: UInt32?
  }

  /// One step on the way to a value; values with common steps share them.
  struct Step {
    var parent: UInt32?
    /// The index of an element, or where a member's name starts.
    var key: UInt32
    var isName: Bool
  }

  let document: JSONDocument
  /// Sorted by their starts.
  let values: [Value]
  private let steps: [Step]

  init(document: JSONDocument, values: [Value], steps: [Step]) {
    self.document = document
    self.values = values
    self.steps = steps
  }

  /// Returns the index of the selected value that starts at an offset.
  func index(of start: UInt32) -> Int { values.lastIndex(whileTrue: { $0.start <= start }) }

  func path(of index: Int) -> JSONPath {
    document.data.withByteView { text in
      let path = steps(to: index).reversed().map { step -> PathStep in
        guard step.isName else { return .index(Int(step.key)) }
        let start = Int(step.key)
        // The name was validated when it was skipped.
        let end = max(text.skipString(start) - 1, start)
        return .name(ByteString(unescaped: text.unescaped(start..<end)))
      }
      return JSONPath(CompiledPath(steps: path))
    }
  }

  /// Returns the steps to a value, the last one first.
  func steps(to index: Int) -> [Step] {
    var found: [Step] = []
    var next = values[index].step
    while let step = next {
      found.append(steps[Int(step)])
      next = steps[Int(step)].parent
    }
    return found
  }
}
