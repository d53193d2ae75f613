/// A page as it is delivered.
public struct Page<Item: Sendable>: Sendable {
  /// Its items that no page before had, in the order of the server.
  public var items: [Item]
  /// How many of its items were dropped because they were there before.
  public var repeated: Int
  /// What was asked for.
  public var request: PageRequest
  /// Why no page follows, where that is known already; nil when there may be more.
  public var end: PagingEnd?
}
