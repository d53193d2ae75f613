/// The result of decoding several values: the values that could be decoded and, for each value that could not be
/// decoded, its location and the reason.
///
/// ```swift
/// let movies = try json.decodeLossy(
///   Movie.self, at: "results", allowing: .fraction(0.1))
/// print(movies.values.count, movies.drops)
/// ```
public struct Lossy<Element> {
  /// The values that could be decoded, in the order in which they were decoded.
  public var values: [Element]

  /// The values that could not be decoded, ordered by index.
  public var drops: [DroppedElement]

  /// Creates a result from decoded values and dropped values.
  public init(values: [Element], drops: [DroppedElement] = []) {
    self.values = values
    self.drops = drops
  }
}

extension Lossy: Sendable where Element: Sendable {}

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
