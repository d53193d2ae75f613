/// The error thrown if a closure sends more queries than expected.
///
/// The usual cause is a loop over objects that were fetched one by one. Fetch them together, or prefetch the
/// relationships that ``relationships`` lists.
public struct QueryBudgetError: Error, Sendable, Hashable {
  /// The maximum number of queries that the closure was allowed to send.
  public let limit: Int
  /// The number of queries that were sent.
  public let count: Int
  /// The number of times the closure fetched each relationship individually, keyed by class and property.
  public let relationships: [String: Int]
}

extension QueryBudgetError: CustomStringConvertible {
  /// The number of queries, the maximum, and the relationships.
  public var description: String {
    let list = relationships.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key): \($0.value)" }
    return "\(count) queries were sent, but at most \(limit) were expected"
      + (list.isEmpty ? "" : "; fetched individually: " + list.joined(separator: ", "))
  }
}
