import Decoding
import ExampleSupport
import FetchKit
import Foundation

/// Searches the books API page by page.
struct BookSearch: Sendable {
  let access: ServiceAccess
  var client = FetchClient {
    $0.retry = .standard
    $0.redactedQueryItems = ["key"]
  }
  var pageSize = GoogleBooks.largestPage
  var maxRequests = 10

  /// The matching volumes, without duplicates.
  func hits(for query: String) -> PagedSequence<SearchHit> {
    PagedSequence(
      client, ExtractionStrategy<VolumePage>.answer.map { $0.hits }, by: .offset(limit: pageSize), id: \.identity,
      maxRequests: maxRequests
    ) { [access] page in
      GoogleBooks(
        resource: .search(query: query, startIndex: page.offset, maxResults: page.limit), access: access)
    }
  }

  /// Returns all matches, page by page. Results before an error are kept.
  ///
  /// - Parameter show: Receives the books of each page, and the number of books before them.
  func results(for query: String, show: (_ books: [BookData], _ before: Int) -> Void) async -> SearchResults {
    let pages = hits(for: query).pages.makeAsyncIterator()
    var results = SearchResults()
    do {
      while let page = try await pages.next() {
        let before = results.books.count
        results.add(page)
        show(Array(results.books[before...]), before)
      }
      results.end = pages.end
    } catch .tooManyPages {
      results.isIncomplete = true
    } catch {
      results.error = error
    }
    results.requests = pages.requests
    return results
  }

  /// Returns the books of the first page. Throws an error if all of its volumes are broken.
  func firstBooks(for query: String) async throws(FetchError) -> [BookData] {
    let strategy = ExtractionStrategy<VolumePage>.answer.map { page in
      var identities: Set<String> = []
      let books = page.hits.compactMap { if case .book(let book) = $0 { book } else { nil } }
      if books.isEmpty, case .broken(let drop)? = page.hits.first { throw drop.failure }
      return books.filter { identities.insert($0.identity).inserted }
    }
    let search = GoogleBooks.Resource.search(query: query, startIndex: 0, maxResults: pageSize)
    return try await client.fetch(GoogleBooks(resource: search, access: access), strategy)
  }

  /// Returns the volume with this id. Throws an error if the service returns a different volume.
  func book(_ id: String) async throws(FetchError) -> BookData {
    let strategy = ExtractionStrategy<BookData>.answer.map { book in
      guard book.id == id else { throw Failure("the service returned the volume \(book.id) instead of \(id)") }
      return book
    }
    return try await client.fetch(GoogleBooks(resource: .volume(id: id), access: access), strategy)
  }
}
