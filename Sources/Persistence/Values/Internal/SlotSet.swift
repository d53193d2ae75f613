/// A set of columns of one class, by slot.
///
/// Every object has one. It therefore consists of only two words, which limits a class to 128 columns.
@frozen @usableFromInline struct SlotSet: Hashable, Sendable {
  static let capacity = 128
  /// All slots, including those that a class does not have.
  @usableFromInline static var everything: SlotSet { SlotSet(low: .max, high: .max) }

  @usableFromInline var low: UInt64
  @usableFromInline var high: UInt64

  @inlinable @inline(__always) init(low: UInt64 = 0, high: UInt64 = 0) {
    self.low = low
    self.high = high
  }

  @inlinable @inline(__always) init(_ slot: Int) {
    let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: slot)
    self.init(low: slot < 64 ? bit : 0, high: slot < 64 ? 0 : bit)
  }

  /// The first `count` slots.
  init(first count: Int) {
    self.init(low: ~(~0 << UInt64(count)), high: ~(~0 << UInt64(Swift.max(0, count - 64))))
  }

  @inlinable var isEmpty: Bool { low | high == 0 }

  var count: Int { low.nonzeroBitCount + high.nonzeroBitCount }

  @inlinable @inline(__always) func contains(_ slot: Int) -> Bool {
    // The shift uses only the slot's last six bits.
    (slot < 64 ? low : high) & (1 &<< UInt64(truncatingIfNeeded: slot)) != 0
  }

  mutating func insert(_ slot: Int) { formUnion(SlotSet(slot)) }

  mutating func remove(_ slot: Int) { self = subtracting(SlotSet(slot)) }

  mutating func formUnion(_ other: SlotSet) { self = union(other) }

  func union(_ other: SlotSet) -> SlotSet { SlotSet(low: low | other.low, high: high | other.high) }

  func intersection(_ other: SlotSet) -> SlotSet { SlotSet(low: low & other.low, high: high & other.high) }

  func subtracting(_ other: SlotSet) -> SlotSet { SlotSet(low: low & ~other.low, high: high & ~other.high) }

  func isDisjoint(with other: SlotSet) -> Bool { intersection(other).isEmpty }
}

/// Iterates from the lowest slot to the highest.
extension SlotSet: Sequence {
  @usableFromInline struct Iterator: IteratorProtocol {
    fileprivate var rest: SlotSet

    @usableFromInline mutating func next() -> Int? {
      if rest.low != 0 {
        defer { rest.low &= rest.low &- 1 }
        return rest.low.trailingZeroBitCount
      }
      guard rest.high != 0 else { return nil }
      defer { rest.high &= rest.high &- 1 }
      return 64 + rest.high.trailingZeroBitCount
    }
  }

  @usableFromInline func makeIterator() -> Iterator { Iterator(rest: self) }
}
