/// Ids that a space has reserved for one class and not yet given out. They come in blocks, which grow while a body is
/// hungry.
struct IDStock {
  private(set) var next: Int64 = 0
  private(set) var end: Int64 = 0
  private var block: Int64 = 32
  /// Whether the block was reserved in the open transaction, and goes with it if that is rolled back.
  var isProvisional = false

  static let maximumBlock: Int64 = 65_536

  var remaining: Int64 { end - next }

  /// Whether ids were given out before: then the next transaction may need some too.
  var isInUse: Bool { end > 0 }

  mutating func take() -> Int64? {
    guard next < end else { return nil }
    defer { next += 1 }
    return next
  }

  /// How many to reserve next.
  mutating func grow() -> Int64 {
    block = min(block * 2, IDStock.maximumBlock)
    return block
  }

  mutating func refill(_ range: Range<Int64>, isProvisional: Bool) {
    next = range.lowerBound
    end = range.upperBound
    self.isProvisional = isProvisional
  }

  /// Somebody else has this id.
  mutating func withhold(_ id: Int64) {
    if next <= id && id < end { next = id + 1 }
  }

  /// What is left, to be given out by somebody else.
  mutating func drain() -> Range<Int64>? {
    defer { next = end }
    return next < end ? next..<end : nil
  }
}
