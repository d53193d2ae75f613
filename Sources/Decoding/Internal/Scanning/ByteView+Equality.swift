extension ByteView {
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
}
