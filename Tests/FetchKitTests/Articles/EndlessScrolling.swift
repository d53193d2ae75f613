import Decoding
import FetchKit
import Foundation

/// The program of the article with this name, verbatim except for the enclosing enum.
enum EndlessScrolling {
  struct Books: Endpoint {
    var title: String
    var page: PageRequest

    var baseURL: URL { URL(string: "https://books.example.com/v1")! }
    var path: String { "volumes" }
    var queryItems: [URLQueryItem] {
      [
        URLQueryItem(name: "q", value: title),
        URLQueryItem(name: "startIndex", value: String(page.offset)),
        URLQueryItem(name: "maxResults", value: String(page.limit)),
      ]
    }
  }

  struct Book: Decodable, Identifiable, Sendable {
    var id: String
  }

  @MainActor final class BookList {
    enum Footer { case loading, failed(FetchError), end(PagingEnd) }

    private(set) var books: [Book] = []
    private(set) var footer = Footer.loading
    private(set) var loading: Task<Void, Never>?
    private let pages: PagedSequence<Book>.Pages.AsyncIterator

    init(_ client: FetchClient, title: String) {
      let books = PagedSequence(
        client, .elementsIfPresent(of: Book.self, at: "items"),
        by: .offset(limit: 40), maxRequests: 10, prefetch: 1
      ) { page in
        Books(title: title, page: page)
      }
      pages = books.pages.makeAsyncIterator()
    }

    /// Call this for each row that appears.
    func rowWillAppear(_ row: Int) {
      if row >= books.count - 20, case .loading = footer { loadMore() }
    }

    /// Also called by the button in the footer after a failure. Requests the
    /// failed page again.
    func loadMore() {
      guard loading == nil else { return }
      footer = .loading
      loading = Task {
        await load()
        loading = nil
      }
    }

    private func load() async {
      do throws(FetchError) {
        guard let page = try await pages.next() else {
          return footer = .end(pages.end ?? .lastPage)
        }
        books += page.items
        if let end = page.end { footer = .end(end) }
      } catch {
        footer = .failed(error)
      }
    }
  }

  struct Program {
    static func main() async {
      let list = await BookList(FetchClient(), title: "swift")
      await list.loadMore()
      await list.loading?.value
      // The user scrolls down.
      for row in 0..<400 {
        await list.rowWillAppear(row)
        await list.loading?.value
      }
      print(await list.books.count, await list.footer)
    }
  }
}
