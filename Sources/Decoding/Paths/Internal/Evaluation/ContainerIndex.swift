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

  /// Indexes the value that starts at an offset; nil with a fault recorded.
  init?(_ scanner: JSONScanner, at start: Int, depth: Int) {
    var isTooDeep = false
    let end = scan(scanner.text, start, limit: scanner.core.pointee.depthLimit - depth, &isTooDeep)
    guard end >= 0 else {
      scanner.setFault(min(~end, scanner.text.count), isTooDeep ? .tooDeep : .syntax)
      return nil
    }
  }

  /// Returns the index after the value, or `~offset` of the first invalid byte.
  private mutating func scan(_ text: ByteView, _ start: Int, limit: Int, _ isTooDeep: inout Bool) -> Int {
    var open: [Int] = []
    var index = start
    values: while true {
      index = text.skipSpace(index)
      guard index < text.count else { return ~index }
      if text[index] | 0x20 == 0x7B {
        guard open.count < limit else {
          isTooDeep = true
          return ~index
        }
        let isObject = text[index] == 0x7B
        open.append(spans.count)
        spans.append(Span(start: UInt32(truncatingIfNeeded: index), end: 0))
        index = text.skipSpace(index &+ 1)
        guard index < text.count else { return ~index }
        if text[index] != (isObject ? 0x7D : 0x5D) {
          if isObject { index = Self.positionAfterName(text, index) }
          if index < 0 { return index }
          continue values
        }
      } else {
        index = text.skipScalar(index)
        if index < 0 { return index }
      }
      while let place = open.last {
        let isObject = text[Int(spans[place].start)] == 0x7B
        index = text.skipSpace(index)
        guard index < text.count else { return ~index }
        if text[index] == 0x2C {
          index &+= 1
          if isObject { index = Self.positionAfterName(text, text.skipSpace(index)) }
          if index < 0 { return index }
          continue values
        }
        guard text[index] == (isObject ? 0x7D : 0x5D) else { return ~index }
        index &+= 1
        spans[place].end = UInt32(truncatingIfNeeded: index)
        open.removeLast()
      }
      return index
    }
  }

  /// Returns the index after a name and its colon, or `~offset` of the first invalid byte.
  private static func positionAfterName(_ text: ByteView, _ start: Int) -> Int {
    guard start < text.count, text[start] == 0x22 else { return ~start }
    let end = text.skipString(start &+ 1)
    if end < 0 { return end }
    let colon = text.skipSpace(end)
    return colon < text.count && text[colon] == 0x3A ? colon &+ 1 : ~colon
  }

  /// Whether the value that starts at an offset is in the indexed part.
  func covers(_ offset: Int) -> Bool {
    guard let first = spans.first else { return false }
    return first.start <= offset && offset < first.end
  }

  /// Returns the index of the span of the container that starts at an offset.
  mutating func place(of offset: Int) -> Int? {
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
    while upper &- lower > 1 {
      let middle = lower &+ (upper &- lower) / 2
      if spans[middle].start <= offset { lower = middle } else { upper = middle }
    }
    guard lower < spans.count, spans[lower].start == offset else { return nil }
    hint = lower
    return lower
  }
}
