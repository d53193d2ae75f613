/// More queries than a closure should have needed.
public struct TooManyQueries: Error, Sendable, Hashable {
  /// How many it should have needed.
  public let limit: Int
  /// How many there were.
  public let count: Int
  /// How often each relationship was fetched on its own in the closure, by class and property.
  public let relationships: [String: Int]
}

extension TooManyQueries: CustomStringConvertible {
  /// Both numbers, and the relationships.
  public var description: String {
    let list = relationships.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key): \($0.value)" }
    return "\(count) queries, where \(limit) should be enough"
      + (list.isEmpty ? "" : "; fetched on their own: " + list.joined(separator: ", "))
  }
}
