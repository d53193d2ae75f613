/// Why there are no more pages.
public enum PagingEnd: Sendable, Hashable {
  /// A page had fewer items than asked for.
  case shortPage
  /// A page had no items.
  case emptyPage
  /// A page named no next one.
  case lastPage
  /// A page had only items that were there before, or named as the next one a page that was: the server turns in a
  /// circle.
  case repetition
  /// As many requests were made as allowed; there may be more.
  case maxRequests
}
