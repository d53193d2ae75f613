/// The byte ranges of all objects and arrays in a part of a document, found in one pass. With it, visiting all values
/// skips each byte only once, however deeply the values are nested.
struct ContainerIndex {
  struct Span {
    var start: UInt32
    var end: UInt32
  }

  /// In order of their starts, which is document order.
  private(set) var spans: [Span] = []
  /// The index of the span found last; the next one is almost always shortly after it.
  private var hint = 0

  /// Indexes the object or array that starts at an offset; nil with a fault recorded.
  init?(_ scanner: JSONScanner, at start: Int, depth: Int) {
    guard var cursor = scanner.children(of: start, depth: depth) else { return nil }
    var outer: [(cursor: ChildCursor, span: Int)] = []
    var span = 0
    spans.append(Span(start: UInt32(truncatingIfNeeded: start), end: 0))
    while true {
      if cursor.next() {
        guard scanner.text[cursor.value] | 0x20 == 0x7B else { continue }
        guard let inner = scanner.children(of: cursor.value, depth: cursor.depth) else { return nil }
        outer.append((cursor, span))
        (cursor, span) = (inner, spans.count)
        spans.append(Span(start: UInt32(truncatingIfNeeded: inner.container), end: 0))
      } else {
        if cursor.isFaulty { return nil }
        spans[span].end = UInt32(truncatingIfNeeded: scanner.core.pointee.lastEnd)
        guard let last = outer.popLast() else { return }
        (cursor, span) = last
      }
    }
  }

  /// Whether the value that starts at an offset is in the indexed part.
  func covers(_ offset: Int) -> Bool { spans.first.map { $0.start <= offset && offset < $0.end } ?? false }

  /// Returns the index of the span of the container that starts at an offset.
  mutating func index(of offset: Int) -> Int? {
    var lower = 0
    var upper = spans.count
    if hint < upper, spans[hint].start <= offset {
      // A galloping search from the last index, then a binary search between the last two.
      var step = 1
      lower = hint
      while lower &+ step < upper, spans[lower &+ step].start <= offset {
        lower &+= step
        step &*= 2
      }
      upper = min(upper, lower &+ step)
    }
    lower = spans[lower..<upper].lastIndex(whileTrue: { $0.start <= offset })
    guard lower < spans.count, spans[lower].start == offset else { return nil }
    hint = lower
    return lower
  }
}
