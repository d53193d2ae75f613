internal import Foundation

/// The bytes of a stream that are still needed, contiguous: at most a chunk and the largest element.
///
/// The buffer owns its memory. A view of `text` is valid until the next `append` and is not stored any longer.
final class StreamBuffer {
  private var memory: UnsafeMutablePointer<UInt8>
  private var capacity = 1 << 12
  private var count = 0
  /// The end of the scanned bytes.
  var cursor = 0
  /// The first scanned byte that is still needed: the beginning of an element or a name.
  var mark: Int?
  /// Whether the stream has ended.
  var isFinished = false
  /// The position of the first byte in the stream.
  private var origin = SourcePosition(offset: 0, line: 1, column: 1)

  init() { memory = .allocate(capacity: capacity) }

  deinit { memory.deallocate() }

  var text: ByteView { ByteView(UnsafePointer(memory), count: count) }

  /// Appends a chunk and drops bytes that are no longer needed. Bytes are moved at most once for each drop.
  func append(_ chunk: some ContiguousBytes) {
    let needed = mark ?? cursor
    if needed > 0 {
      origin = position(of: needed)
      count -= needed
      memory.update(from: memory + needed, count: count)
      cursor -= needed
      if mark != nil { mark = 0 }
    }
    chunk.withUnsafeBytes { bytes in
      if count + bytes.count > capacity {
        capacity = max(capacity * 2, count + bytes.count)
        memory.grow(to: capacity, keeping: count)
      }
      guard let source = bytes.baseAddress else { return }
      UnsafeMutableRawPointer(memory + count).copyMemory(from: source, byteCount: bytes.count)
      count += bytes.count
    }
  }

  /// Skips a byte order mark at the beginning; false if more bytes have to show whether there is one.
  func skipByteOrderMark() -> Bool {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let head = text.buffer(0, min(count, 3))
    if head.elementsEqual(mark) { cursor = 3 }
    return head.count == 3 || isFinished || !mark.starts(with: head)
  }

  /// Returns the position of a byte in the stream.
  func position(of index: Int) -> SourcePosition {
    origin.advanced(over: ByteView(UnsafePointer(memory), count: min(index, count)))
  }
}

extension SourcePosition {
  /// Returns the position after some more bytes.
  func advanced(over text: ByteView) -> SourcePosition {
    let (lines, tail) = text.lineFeeds()
    let characters = text.characterCount(from: tail)
    return SourcePosition(
      offset: offset + text.count, line: line + lines, column: (lines == 0 ? column : 1) + characters)
  }

  /// Returns the position of something inside a text that starts here.
  func advanced(by inner: SourcePosition) -> SourcePosition {
    SourcePosition(
      offset: offset + inner.offset, line: line + inner.line - 1,
      column: inner.line == 1 ? column + inner.column - 1 : inner.column)
  }
}

extension ByteView {
  /// Returns the number of line feeds, and the index after the last one.
  fileprivate func lineFeeds() -> (count: Int, tail: Int) {
    let total = occurrences(from: 0, { $0 .== lanes(of: 0x0A) }, { $0 == 0x0A })
    guard total > 0 else { return (0, 0) }
    var tail = count
    while self[tail &- 1] != 0x0A { tail &-= 1 }
    return (total, tail)
  }

  /// Returns the number of characters that begin at or after an index, which is the number of non-continuation bytes.
  fileprivate func characterCount(from start: Int) -> Int {
    let inner = occurrences(from: start, { ($0 & lanes(of: 0xC0)) .== lanes(of: 0x80) }, { $0 & 0xC0 == 0x80 })
    return count &- start &- inner
  }

  /// Counts the bytes from an index on that match. Each lane counts up to what a byte can hold, before the lanes are
  /// summed.
  @inline(__always)
  private func occurrences(
    from start: Int, _ fits: (SIMD16<UInt8>) -> SIMDMask<SIMD16<Int8>>, _ byteFits: (UInt8) -> Bool
  ) -> Int {
    var index = start
    var total = 0
    while index &+ 16 <= count {
      var counts = SIMD16<UInt8>()
      let end = Swift.min(count, index &+ 16 &* 255)
      while index &+ 16 <= end {
        counts &-= bytes(fits(load16(index)))
        index &+= 16
      }
      total &+= sum(counts)
    }
    while index < count {
      if byteFits(self[index]) { total &+= 1 }
      index &+= 1
    }
    return total
  }

  /// Returns the first index from `start` on that contains a byte, or `count`.
  func firstIndex(of byte: UInt8, from start: Int) -> Int {
    var index = start
    while index &+ 16 <= count {
      if let lane = firstLane(words(load16(index) .== lanes(of: byte))) { return index &+ lane }
      index &+= 16
    }
    while index < count, self[index] != byte { index &+= 1 }
    return index
  }
}
