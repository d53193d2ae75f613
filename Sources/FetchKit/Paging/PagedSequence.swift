internal import Foundation

/// The items of an API that hands them out page by page, as one asynchronous sequence.
///
/// ```swift
/// let books = PagedSequence(
///   client, .elementsIfPresent(of: Book.self, at: "items"), by: .offset(limit: 40), id: \.id, maxRequests: 10
/// ) { page in
///   GoogleBooks.search(title, startIndex: page.offset, maxResults: page.limit)
/// }
/// for try await book in books { show(book) }
/// ```
///
/// - It ends with a short page, an empty page, a page that names no next one, a page without anything new, and when
///   ``maxRequests`` is reached. What a server says about totals is never asked: it is wrong too often.
/// - No item comes twice: an item whose id was there before is dropped.
/// - A failure of a page is thrown after all items before it were delivered, and leaves the iterator where it is:
///   asking it again asks the server for the same page again.
/// - With ``prefetch`` pages are asked for before they are needed. Nothing is asked before the first item is.
///
/// ``pages`` gives whole pages, ``collect()`` everything at once. Each iterator starts from the first page; letting go
/// of it, and cancelling the task that waits for it, cancels its requests.
public struct PagedSequence<Item: Sendable>: Sendable {
  typealias Fetch = @Sendable (PageRequest) async throws(FetchError) -> PageAnswer<Item>

  /// How many requests an iterator makes at most, repeated ones and those for pages ahead included.
  public var maxRequests: Int
  /// How many pages are asked for beyond the one that is being waited for or used. Where a page names the next, one at
  /// most.
  public var prefetch: Int
  /// Whether a page with fewer items than asked for is the last; if not, an empty one is. Pages that name the next one
  /// are never too short.
  public var endsAtShortPage = true

  let style: PagingStyle
  let fetch: Fetch
  let makeFilter: @Sendable () -> (Item) -> Bool

  /// The items of all pages.
  ///
  /// - Parameters:
  ///   - client: What fetches.
  ///   - strategy: Makes the items of a page's response; ``ExtractionStrategy/elementsIfPresent(of:at:decoder:)`` takes
  ///     a page without the member for an empty one.
  ///   - style: How the pages are told apart.
  ///   - id: What tells an item from all others.
  ///   - maxRequests: How many requests are made at most.
  ///   - prefetch: How many pages are asked for ahead.
  ///   - request: Makes the request for a page.
  public init<ID: Hashable & Sendable, Request: HTTPRequestConvertible>(
    _ client: FetchClient, _ strategy: ExtractionStrategy<[Item]>, by style: PagingStyle,
    id: @escaping @Sendable (Item) -> ID, maxRequests: Int = 100, prefetch: Int = 0,
    request: @escaping @Sendable (PageRequest) -> Request
  ) {
    self.style = style
    self.maxRequests = maxRequests
    self.prefetch = prefetch
    makeFilter = {
      var seen: Set<ID> = []
      return { seen.insert(id($0)).inserted }
    }
    let answer = ExtractionStrategy { response in
      PageAnswer(items: try strategy.extract(response), next: try style.next(after: response))
    }
    fetch = { (page) async throws(FetchError) in
      try await client.fetch(try request(page).httpRequest().following(page.link), answer)
    }
  }

  /// The items of all pages, told apart by their `id`.
  public init<Request: HTTPRequestConvertible>(
    _ client: FetchClient, _ strategy: ExtractionStrategy<[Item]>, by style: PagingStyle, maxRequests: Int = 100,
    prefetch: Int = 0, request: @escaping @Sendable (PageRequest) -> Request
  ) where Item: Identifiable, Item.ID: Sendable {
    self.init(
      client, strategy, by: style, id: { $0.id }, maxRequests: maxRequests, prefetch: prefetch, request: request)
  }

  /// Fetches all pages, one after the other, and keeps what came when one of them fails.
  public func collect() async -> PagedResult<Item> {
    var result = PagedResult<Item>()
    let reader = PageReader(self)
    do throws(FetchError) {
      while let page = try await reader.next() { result.items += page.items }
      result.end = reader.end
    } catch {
      result.error = error
    }
    result.requests = reader.requests
    return result
  }
}

extension HTTPRequest {
  fileprivate func following(_ link: URL?) throws(FetchError) -> HTTPRequest {
    guard let link else { return self }
    guard link.origin == url.origin else {
      throw .invalidRequest(
        reason: "the link to the next page leads to another origin", FetchError.Context(method: method, url: link))
    }
    var request = self
    request.url = link
    return request
  }
}
