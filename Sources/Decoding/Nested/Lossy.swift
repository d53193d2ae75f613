/// What could be decoded of many values, and for each one that could not: where it was and why.
///
/// ```swift
/// let movies = try json.decodeLossy(Movie.self, at: "results", allowing: .fraction(0.1))
/// print(movies.values.count, movies.drops)
/// ```
public struct Lossy<Element> {
  /// The values that could be decoded, in their order.
  public var values: [Element]

  /// The values that could not, in their order.
  public var drops: [LossyDrop]

  /// Makes a result from its parts.
  public init(values: [Element], drops: [LossyDrop] = []) {
    self.values = values
    self.drops = drops
  }
}

extension Lossy: Sendable where Element: Sendable {}
