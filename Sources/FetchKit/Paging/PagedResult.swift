/// The items of all pages up to the end or up to the first failure.
public struct PagedResult<Item: Sendable>: Sendable {
  /// The items of the received pages, without duplicates.
  public var items: [Item] = []
  /// Why there are no more pages, or nil if a failure ended the paging.
  public var end: PagingEnd?
  /// The error that ended the paging, or nil if all pages were received.
  public var error: FetchError?
  /// The number of requests made, including prefetched pages.
  public var requests = 0
}
