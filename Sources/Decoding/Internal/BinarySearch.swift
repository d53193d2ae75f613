extension RandomAccessCollection where Index == Int {
  /// Returns the index of the last element for which a condition holds, and the first index if it holds for none. Below
  /// that index, it holds for all elements.
  @inline(__always)
  func lastIndex(whileTrue holds: (Element) -> Bool) -> Int {
    var range = startIndex..<endIndex
    while range.count > 1 {
      let middle = range.lowerBound + range.count / 2
      range = holds(self[middle]) ? middle..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }
}
