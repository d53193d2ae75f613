extension ByteView {
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
