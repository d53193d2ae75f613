internal import Foundation

/// The values that a path has selected in a document, each once, with the steps to them.
final class NodeTable: Sendable {
  /// A value that was selected.
  struct Value {
    var start: UInt32
    var end: UInt32 = 0
    /// Its last step; nil for the document's own value.
    var step: UInt32?
  }

  /// One step on the way to a value; steps that several values have in common are there once.
  struct Step {
    var parent: UInt32?
    /// The index of an element, or where a member's name starts.
    var key: UInt32
    var isName: Bool
  }

  private let document: JSONDocument
  /// By their starts.
  private let values: [Value]
  private let steps: [Step]

  init(document: JSONDocument, values: [Value], steps: [Step]) {
    self.document = document
    self.values = values
    self.steps = steps
  }

  /// The place of the value that starts at an offset, which was selected.
  func place(of start: UInt32) -> Int {
    var (lower, upper) = (0, values.count)
    while upper - lower > 1 {
      let middle = lower + (upper - lower) / 2
      if values[middle].start <= start { lower = middle } else { upper = middle }
    }
    return lower
  }

  func range(of place: Int) -> Range<Int> { Int(values[place].start)..<Int(values[place].end) }

  /// The value's bytes, copied.
  func bytes(of place: Int) -> Data {
    let range = range(of: place)
    return document.data.bytes.withUnsafeBytes { Data(ByteView($0).buffer(range.lowerBound, range.upperBound)) }
  }

  func path(of place: Int) -> JSONPath {
    document.data.bytes.withUnsafeBytes { bytes in
      let text = ByteView(bytes)
      let path = steps(to: place).reversed().map { step -> PathStep in
        guard step.isName else { return .index(Int(step.key)) }
        let start = Int(step.key)
        // The name was checked when it was passed.
        let end = max(text.skipString(start) - 1, start)
        return .name(ByteString(String(decoding: text.unescaped(start..<end), as: UTF8.self)))
      }
      return JSONPath(CompiledPath(steps: path))
    }
  }

  func decode<T: Decodable>(_ type: T.Type, _ place: Int) throws(DecodingFailure) -> T {
    try document.withState { state, part in
      part.start = Int(values[place].start)
      part.origin = .match(depth: steps(to: place).count)
      return try state.decode(type, part)
    }
  }

  /// The steps to a value, the last one first.
  private func steps(to place: Int) -> [Step] {
    var found: [Step] = []
    var next = values[place].step
    while let step = next {
      found.append(steps[Int(step)])
      next = steps[Int(step)].parent
    }
    return found
  }
}
