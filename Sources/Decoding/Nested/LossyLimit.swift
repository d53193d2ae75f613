/// A limit on the number of values that can be dropped from a lossy result before an error is thrown.
public enum LossyLimit: Sendable, Hashable {
  /// All values can be dropped.
  case all
  /// At most the given number of values can be dropped.
  case count(Int)
  /// At most the given fraction of the values can be dropped. The fraction is a number from 0 to 1.
  case fraction(Double)

  func allows(_ drops: Int, of count: Int) -> Bool {
    switch self {
    case .all: true
    case .count(let limit): drops <= limit
    case .fraction(let limit): Double(drops) <= limit * Double(count)
    }
  }
}
