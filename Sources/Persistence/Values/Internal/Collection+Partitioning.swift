extension RandomAccessCollection where Index == Int {
  /// The first index from which on the elements fulfill a condition, or `endIndex`. Those before it do not.
  @inline(__always) func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if predicate(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
