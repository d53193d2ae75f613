/// Goes through the elements of an array.
struct ElementCursor {
  let reader: Reader
  let array: Int
  /// How many containers are around an element.
  let depth: Int
  /// Where the element starts, and its index.
  private(set) var value = -1
  private(set) var index = -1
  private(set) var isFaulty = false

  init(reader: Reader, array: Int, depth: Int) {
    self.reader = reader
    self.array = array
    self.depth = depth
  }

  /// Moves to the next element; false at the end, or with a fault recorded.
  @inline(__always)
  mutating func next() -> Bool {
    var next = -1
    if value < 0 {
      next = reader.firstElement(array)
    } else {
      let end = reader.endOfValue(value, depth: depth)
      if end >= 0 { next = reader.nextElement(end, of: array) }
    }
    guard next > 0 else {
      isFaulty = next < 0
      return false
    }
    value = next
    index &+= 1
    return true
  }
}
