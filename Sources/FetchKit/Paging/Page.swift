/// A page of items.
public struct Page<Item: Sendable>: Sendable {
  /// The items of the page in the server's order, excluding items that an earlier page contained.
  public var items: [Item]
  /// The number of items that were dropped because an earlier page contained them.
  public var repeated: Int
  /// The request for this page.
  public var request: PageRequest
  /// The reason why this is the last page, or nil if there may be more pages.
  public var end: PagingEnd?
}

/// The items of all pages up to the end or up to the first failure.
public struct PagedResult<Item: Sendable>: Sendable {
  /// The items of the received pages, without duplicates.
  public var items: [Item] = []
  /// The reason why there are no more pages, or nil if a failure ended the paging.
  public var end: PagingEnd?
  /// The error that ended the paging, or nil if all pages were received.
  public var error: FetchError?
  /// The number of requests made, including prefetched pages.
  public var requests = 0
}

/// The reason why there are no more pages.
public enum PagingEnd: Sendable, Hashable {
  /// A page had fewer items than requested.
  case shortPage
  /// A page had no items.
  case emptyPage
  /// A page did not specify a next page.
  case lastPage
  /// A page contained only items that had already been delivered, or it specified an earlier page as the next page.
  case repetition
  /// The maximum number of requests was reached. There may be more pages.
  case maxRequests
}
