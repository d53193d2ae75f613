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
