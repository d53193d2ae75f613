/// A page of items.
public struct Page<Item: Sendable>: Sendable {
  /// The items of the page in the server's order, excluding items that an earlier page contained.
  public var items: [Item]
  /// The number of items that were dropped because an earlier page contained them.
  public var repeated: Int
  /// The request for this page.
  public var request: PageRequest
  /// The response, with its status code and header fields. Its body is empty, because the items contain its values.
  public var response: FetchResponse
  /// The reason why this is the last page, or nil if there may be more pages.
  public var end: PagingEnd?
}

/// The result of fetching all pages: the items of the received pages, and the reason why the paging ended.
public struct PagedResult<Item: Sendable>: Sendable {
  /// The items of the received pages, without duplicates.
  public var items: [Item] = []
  /// The reason why the paging ended, or nil if an error ended it.
  public var end: PagingEnd?
  /// The error that ended the paging, or nil if no error occurred.
  public var error: FetchError?
  /// The number of requests made, including requests for prefetched pages.
  public var requests = 0
}

/// The reason why the paging ended.
public enum PagingEnd: Sendable, Hashable {
  /// A page had fewer items than requested.
  case shortPage
  /// A page had no items.
  case emptyPage
  /// A page did not specify a next page.
  case lastPage
  /// A page contained only items that had already been delivered, or it specified an earlier page as the next page.
  case repetition
}
