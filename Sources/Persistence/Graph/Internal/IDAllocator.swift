/// Ids that a space has reserved for one class but not yet assigned. They are reserved in blocks, whose size grows with
/// the demand.
struct IDAllocator {
  private(set) var next: Int64 = 0
  private(set) var end: Int64 = 0
  private var block: Int64 = 32
  /// Whether the block was reserved in the open transaction, and is lost if that is rolled back.
  var isProvisional = false

  static let maximumBlock: Int64 = 65_536

  var remaining: Int64 { end - next }

  /// Whether ids were assigned before. The next transaction may then need some too.
  var isInUse: Bool { end > 0 }

  mutating func take() -> Int64? {
    guard next < end else { return nil }
    defer { next += 1 }
    return next
  }

  /// The number of ids to reserve next.
  mutating func grow() -> Int64 {
    block = min(block * 2, IDAllocator.maximumBlock)
    return block
  }

  mutating func refill(_ range: Range<Int64>, isProvisional: Bool) {
    next = range.lowerBound
    end = range.upperBound
    self.isProvisional = isProvisional
  }

  /// Skips an id that is used elsewhere.
  mutating func withhold(_ id: Int64) {
    if next <= id && id < end { next = id + 1 }
  }

  /// Removes and returns the remaining ids, which can be assigned elsewhere.
  mutating func drain() -> Range<Int64>? {
    defer { next = end }
    return next < end ? next..<end : nil
  }
}
