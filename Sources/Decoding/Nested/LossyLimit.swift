/// A limit on the number of values that can be dropped from a lossy result before an error is thrown.
public enum LossyLimit: Sendable, Hashable {
  /// All values can be dropped.
  case all
  /// At most this number of values can be dropped.
  case count(Int)
  /// At most this fraction of the values, from 0 to 1, can be dropped.
  case fraction(Double)

  func allows(_ drops: Int, of count: Int) -> Bool {
    switch self {
    case .all: true
    case .count(let limit): drops <= limit
    case .fraction(let limit): Double(drops) <= limit * Double(count)
    }
  }
}
