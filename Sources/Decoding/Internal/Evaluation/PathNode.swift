/// A value that a path has reached.
///
/// Queries may keep as many of these as the document has values, so it is small; the steps to a value are found again
/// from its offset, when a failure needs them.
struct PathNode {
  private let start: UInt32
  private let level: UInt16

  init(offset: Int, depth: Int) {
    start = UInt32(truncatingIfNeeded: offset)
    level = UInt16(truncatingIfNeeded: depth)
  }

  /// Where it starts.
  var offset: Int { Int(start) }

  /// How many containers are around it.
  var depth: Int { Int(level) }
}
