/// The bytes of a document as the scanning kernels see them: a base address and a count.
///
/// Raw memory is read here and nowhere else in the module. Every kernel is handed an index at or below `count`,
/// compares with `count` before each load, and never reads at or behind it, so the memory needs no terminator; the
/// loads below repeat that condition as an assertion. Whoever makes a view keeps the memory alive and unchanged while
/// it is in use.
///
/// A kernel that can fail returns the index behind what it read, or `~offset` (negative) of the first byte that cannot
/// be.
struct ByteView {
  let base: UnsafePointer<UInt8>
  let count: Int

  @inline(__always)
  init(_ base: UnsafePointer<UInt8>, count: Int) {
    self.base = base
    self.count = count
  }

  /// A view of a buffer, which may be the empty one without an address.
  @inline(__always)
  init(_ buffer: UnsafeRawBufferPointer) {
    base = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? ByteView.nowhere
    count = buffer.count
  }

  /// An address for views without bytes; it is never read.
  static var nowhere: UnsafePointer<UInt8> { UnsafePointer(bitPattern: 1).unsafelyUnwrapped }

  @inline(__always)
  subscript(_ index: Int) -> UInt8 {
    assert(index >= 0 && index < count)
    return base[index]
  }

  @inline(__always)
  func load16(_ index: Int) -> SIMD16<UInt8> {
    assert(index >= 0 && index &+ 16 <= count)
    return UnsafeRawPointer(base).loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
  }

  @inline(__always)
  func load8(_ index: Int) -> UInt64 {
    assert(index >= 0 && index &+ 8 <= count)
    return UInt64(littleEndian: UnsafeRawPointer(base).loadUnaligned(fromByteOffset: index, as: UInt64.self))
  }

  @inline(__always)
  func load4(_ index: Int) -> UInt32 {
    assert(index >= 0 && index &+ 4 <= count)
    return UInt32(littleEndian: UnsafeRawPointer(base).loadUnaligned(fromByteOffset: index, as: UInt32.self))
  }

  @inline(__always)
  func isDigit(_ index: Int) -> Bool { self[index] &- 0x30 < 10 }

  /// Whether a digit or a minus sign stands there: the start of a number.
  @inline(__always)
  func startsNumber(_ index: Int) -> Bool { self[index] &- 0x30 < 10 || self[index] == 0x2D }

  /// The bytes of a range, for the cold paths that need a collection.
  func buffer(_ start: Int, _ end: Int) -> UnsafeBufferPointer<UInt8> {
    assert(start >= 0 && start <= end && end <= count)
    return UnsafeBufferPointer(start: base + start, count: end - start)
  }

  /// The text of a range; bytes that are not UTF-8 become U+FFFD.
  func text(_ start: Int, _ end: Int) -> String { String(decoding: buffer(start, end), as: UTF8.self) }
}
