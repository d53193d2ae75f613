package import Foundation

/// An asynchronous sequence of the items on all pages of a paginated API.
///
/// ```swift
/// let books = PagedSequence(
///   client, .elementsIfPresent(of: Book.self, at: "items"),
///   by: .offset(limit: 40), id: \.id, maxRequests: 10
/// ) { page in
///   GoogleBooks.search(title, startIndex: page.offset, maxResults: page.limit)
/// }
/// for try await book in books { show(book) }
/// ```
///
/// - The sequence ends when an empty page arrives. Depending on the paging style and on
///   ``stopsAtShortPage``, it also ends after a page that has fewer items than requested, has no new items, or does not
///   specify the next page. The sequence ignores the total number of items that a server reports, because this number
///   is often wrong.
/// - Items are never repeated. An item is dropped if an earlier page contained an item with the same ID.
/// - If a page cannot be fetched, the error is thrown after all items of the earlier pages have been delivered. The
///   iterator keeps its position, so the next call to `next` requests the same page again.
/// - If ``maxRequests`` is reached and there may be more pages, the iterator throws
///   ``FetchError/tooManyPages(limit:next:_:)`` with the page that it would have requested, after all items of the
///   earlier pages have been delivered. To read only the first pages, end the iteration yourself.
/// - If a request has a condition, such as `If-None-Match`, a 304 response is delivered as a page without items. The
///   sequence continues with the next page if the server or the paging style specifies one.
/// - If ``prefetch`` is greater than 0, pages are requested before they are needed, but never before you request the
///   first item.
///
/// Use ``pages`` to iterate page by page, and ``collect()`` to fetch all pages with one call. Each iterator starts from
/// the first page. Releasing an iterator, or cancelling the task that is waiting for its next item, cancels the
/// iterator's requests.
public struct PagedSequence<Item: Sendable>: Sendable {
  typealias Fetch = @Sendable (PageRequest) async throws(FetchError) -> FetchedPage<Item>

  /// The maximum number of requests per iterator, including repeated requests and requests for prefetched pages.
  public var maxRequests: Int
  /// The number of pages to request ahead of the current page. If each page specifies the next page, at most one page
  /// is requested ahead.
  public var prefetch: Int
  /// Whether the sequence ends after a page that has fewer items than requested. If false, the sequence continues until
  /// a page has no new items. This property has no effect if each page specifies the next
  /// page.
  public var stopsAtShortPage = true

  let style: PagingStyle
  let fetch: Fetch
  let makeFilter: @Sendable () -> (Item) -> Bool

  /// Creates a sequence of the items on all pages.
  ///
  /// - Parameters:
  ///   - client: The client that performs the fetches.
  ///   - strategy: The strategy that extracts the items from a page's response.
  ///     ``ExtractionStrategy/elementsIfPresent(of:at:decoder:)`` treats a page without the array as an empty page.
  ///   - style: The API's paging style.
  ///   - id: A function that returns an item's unique ID.
  ///   - maxRequests: The maximum number of requests per iterator.
  ///   - prefetch: The number of pages to request ahead of the current page.
  ///   - request: A function that creates the request for a page.
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
      var head = response
      head.body = Data()
      return FetchedPage(
        items: try strategy.extract(response), next: try style.next(after: response), response: head)
    }
    fetch = { (page) async throws(FetchError) in
      let request = try request(page).httpRequest().following(page.link)
      do throws(FetchError) {
        return try await client.fetch(request, answer)
      } catch {
        guard case .status(let failure, let context) = error, failure.status == 304, request.isConditional else {
          throw error
        }
        let head = ResponseHead(status: 304, headers: failure.headers)
        let response = FetchResponse(
          head: head, body: Data(), method: request.method, url: request.url, attempts: context.attempts)
        // Only a header field can name the next page.
        return FetchedPage(items: [], next: try? style.next(after: response), response: response)
      }
    }
  }

  /// Creates a sequence of the items on all pages and identifies each item by its `id` property.
  public init<Request: HTTPRequestConvertible>(
    _ client: FetchClient, _ strategy: ExtractionStrategy<[Item]>, by style: PagingStyle, maxRequests: Int = 100,
    prefetch: Int = 0, request: @escaping @Sendable (PageRequest) -> Request
  ) where Item: Identifiable, Item.ID: Sendable {
    self.init(
      client, strategy, by: style, id: { $0.id }, maxRequests: maxRequests, prefetch: prefetch, request: request)
  }

  /// Fetches all pages and returns their items. If a page cannot be fetched, the result contains the error and the
  /// items of the earlier pages.
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
  fileprivate var isConditional: Bool { headers["If-None-Match"] != nil || headers["If-Modified-Since"] != nil }

  package func following(_ link: URL?) throws(FetchError) -> HTTPRequest {
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
