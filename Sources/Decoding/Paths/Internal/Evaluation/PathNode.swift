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

  /// The offset at which the value starts.
  var offset: Int { Int(start) }

  /// The number of containers around the value.
  var depth: Int { Int(level) }
}
