/// A value that a path reached.
///
/// Queries can store as many nodes as the document has values, so a node is small. If a failure needs the steps to a
/// value, they are found again from its offset.
struct PathNode {
  private let start: UInt32
  private let level: UInt16

  init(offset: Int, depth: Int) {
    start = UInt32(truncatingIfNeeded: offset)
    level = UInt16(truncatingIfNeeded: depth)
  }

  /// Creates the node of a cursor's child.
  init(_ child: ChildCursor) { self.init(offset: child.value, depth: child.depth) }

  /// The offset at which the value starts.
  var offset: Int { Int(start) }

  /// The number of containers around the value.
  var depth: Int { Int(level) }
}

/// How far a singular path leads into a document.
enum StepOutcome {
  /// The value starts at this offset.
  case found(at: Int)
  /// The object or array at this offset has no such member or element.
  case missing(step: Int, container: Int)
  /// The value at this offset is not of the kind that the step requires.
  case mismatch(step: Int, value: Int, kind: ValueKind)
}
