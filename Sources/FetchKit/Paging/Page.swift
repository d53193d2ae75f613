/// A page of items.
public struct Page<Item: Sendable>: Sendable {
  /// The items of the page in the server's order, without those that an earlier page contained.
  public var items: [Item]
  /// The number of items that were dropped because an earlier page contained them.
  public var repeated: Int
  /// The request for this page.
  public var request: PageRequest
  /// Why no page follows, or nil if there may be more pages.
  public var end: PagingEnd?
}
