/// What there was on all pages, up to the end or to the first failure.
public struct PagedResult<Item: Sendable>: Sendable {
  /// The items of the pages that came, none twice.
  public var items: [Item] = []
  /// Why there are no more pages; nil when a failure ended it.
  public var end: PagingEnd?
  /// Why the page after the last item did not come; nil when all came that there are.
  public var error: FetchError?
  /// How many requests were made, those for pages ahead included.
  public var requests = 0
}
