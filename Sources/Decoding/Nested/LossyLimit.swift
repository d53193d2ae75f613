/// How much may be left out of a lossy result before it is an error.
public enum LossyLimit: Sendable, Hashable {
  /// Everything.
  case all
  /// At most so many values.
  case count(Int)
  /// At most this part of the values, from 0 to 1.
  case fraction(Double)

  func allows(_ drops: Int, of count: Int) -> Bool {
    switch self {
    case .all: true
    case .count(let limit): drops <= limit
    case .fraction(let limit): Double(drops) <= limit * Double(count)
    }
  }
}
