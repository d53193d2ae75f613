/// The bytes of a document for the scanning kernels: a base address and a count.
///
/// Raw memory is read only here in the module. Every kernel receives an index at or below `count`, compares with
/// `count` before each load, and never reads at or beyond it, so the memory needs no terminator. The loads below assert
/// that condition. The creator of a view keeps the memory alive and unchanged while the view is in use.
///
/// A kernel that can fail returns the index after what it read, or `~offset` (negative) of the first invalid byte.
struct ByteView {
  let base: UnsafePointer<UInt8>
  let count: Int

  @inline(__always)
  init(_ base: UnsafePointer<UInt8>, count: Int) {
    self.base = base
    self.count = count
  }

  /// Creates a view of a buffer, which can be an empty one without an address.
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

  /// Whether the byte is a digit or a minus sign, which starts a number.
  @inline(__always)
  func startsNumber(_ index: Int) -> Bool { self[index] &- 0x30 < 10 || self[index] == 0x2D }

  /// Returns the bytes of a range, for cold paths that need a collection.
  func buffer(_ start: Int, _ end: Int) -> UnsafeBufferPointer<UInt8> {
    assert(start >= 0 && start <= end && end <= count)
    return UnsafeBufferPointer(start: base + start, count: end - start)
  }

  /// Returns the text of a range; bytes that are not UTF-8 become U+FFFD.
  func text(_ start: Int, _ end: Int) -> String { String(decoding: buffer(start, end), as: UTF8.self) }

  /// Whether the bytes at `index` equal those of `other`; overlapping loads are faster than memcmp for keys.
  @inline(__always)
  func matches(_ index: Int, _ other: ByteView) -> Bool {
    let here = ByteView(base + index, count: count &- index)
    let length = other.count
    assert(index >= 0 && index &+ length <= count)
    if length >= 8 {
      if here.load8(0) != other.load8(0) { return false }
      var offset = 8
      while offset &+ 8 <= length {
        if here.load8(offset) != other.load8(offset) { return false }
        offset &+= 8
      }
      return offset == length || here.load8(length &- 8) == other.load8(length &- 8)
    }
    if length >= 4 {
      return here.load4(0) == other.load4(0) && here.load4(length &- 4) == other.load4(length &- 4)
    }
    var offset = 0
    while offset < length {
      if here[offset] != other[offset] { return false }
      offset &+= 1
    }
    return true
  }

  /// Returns the first index at or after `index` that is not JSON whitespace.
  @inline(__always)
  func skipSpace(_ index: Int) -> Int {
    if index < count {
      if self[index] > 0x20 { return index }
      if self[index] == 0x20, index &+ 1 < count, self[index &+ 1] > 0x20 { return index &+ 1 }
    }
    return skipManySpaces(index)
  }

  @inline(never)
  private func skipManySpaces(_ start: Int) -> Int {
    var index = start
    while index &+ 16 <= count {
      let block = load16(index)
      let space = (block .== lanes(of: 0x20)) .| (block .== lanes(of: 0x0A))
      let other = ~words(space .| (block .== lanes(of: 0x0D)) .| (block .== lanes(of: 0x09)))
      if let lane = firstLane(other) { return index &+ lane }
      index &+= 16
    }
    while index < count, isJSONSpace(self[index]) { index &+= 1 }
    return index
  }
}

@inline(__always)
func isJSONSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }
