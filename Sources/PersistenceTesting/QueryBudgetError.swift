/// The error that is thrown if a closure sends more queries to the store than it is allowed to send.
///
/// The usual cause is a loop that fetches objects one by one. Fetch the objects together instead, or prefetch the
/// relationships that ``relationships`` lists.
public struct QueryBudgetError: Error, Sendable, Hashable {
  /// The maximum number of queries that the closure was allowed to send.
  public let limit: Int
  /// The number of queries that the closure sent.
  public let count: Int
  /// The number of times the closure fetched each relationship individually, keyed by class and property.
  public let relationships: [String: Int]
}

extension QueryBudgetError: CustomStringConvertible {
  /// A description that contains the number of queries, the maximum, and the relationships that were fetched
  /// individually.
  public var description: String {
    let list = relationships.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key): \($0.value)" }
    return "\(count) queries were sent, but at most \(limit) were expected"
      + (list.isEmpty ? "" : "; fetched individually: " + list.joined(separator: ", "))
  }
}
