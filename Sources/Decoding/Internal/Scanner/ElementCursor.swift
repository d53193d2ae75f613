/// Iterates over the elements of an array.
struct ElementCursor {
  let scanner: JSONScanner
  let array: Int
  /// The number of containers around an element.
  let depth: Int
  /// The start of the element, and its index.
  private(set) var value = -1
  private(set) var index = -1
  private(set) var isFaulty = false

  init(scanner: JSONScanner, array: Int, depth: Int) {
    self.scanner = scanner
    self.array = array
    self.depth = depth
  }

  /// Advances to the next element; false at the end, or with a fault recorded.
  @inline(__always)
  mutating func next() -> Bool {
    var next = -1
    if value < 0 {
      next = scanner.firstElement(array)
    } else {
      let end = scanner.endOfValue(value, depth: depth)
      if end >= 0 { next = scanner.nextElement(end, of: array) }
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
