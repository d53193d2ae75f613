/// Lines and columns of many offsets in one text, each found without counting from the beginning again.
final class PositionIndex {
  private static let distance = 4096
  /// The position of each multiple of the distance, as far as it has been needed.
  private var known = [SourcePosition(offset: 0, line: 1, column: 1)]

  func position(of offset: Int, in text: ByteView) -> SourcePosition {
    let offset = min(max(offset, 0), text.count)
    while known.count <= offset / Self.distance {
      known.append(advance(known[known.count - 1], to: known.count * Self.distance, in: text))
    }
    return advance(known[offset / Self.distance], to: offset, in: text)
  }

  private func advance(_ position: SourcePosition, to offset: Int, in text: ByteView) -> SourcePosition {
    position.advanced(over: ByteView(text.base + position.offset, count: offset - position.offset))
  }
}
