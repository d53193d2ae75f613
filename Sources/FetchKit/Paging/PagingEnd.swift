/// Why there are no more pages.
public enum PagingEnd: Sendable, Hashable {
  /// A page had fewer items than requested.
  case shortPage
  /// A page had no items.
  case emptyPage
  /// A page did not specify a next page.
  case lastPage
  /// A page contained only items that were already delivered, or it specified an earlier page as the next page.
  case repetition
  /// The maximum number of requests was made. There may be more pages.
  case maxRequests
}
