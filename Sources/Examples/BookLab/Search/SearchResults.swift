import Decoding
import FetchKit

/// The results of a search, and how it ended.
struct SearchResults: Encodable {
  /// A volume that could not be read.
  struct Dropped: Encodable {
    let path: String
    let reason: String
  }

  var requests = 0
  var books: [BookData] = []
  var dropped: [Dropped] = []
  var end: PagingEnd?
  /// Whether there may be more books than the permitted number of pages contains.
  var isIncomplete = false
  var error: FetchError?

  private enum CodingKeys: String, CodingKey { case requests, books, dropped }

  mutating func add(_ page: Page<SearchHit>) {
    for hit in page.items {
      switch hit {
      case .book(let book): books.append(book)
      case .broken(let drop):
        let path = "\(drop.failure.path)"
        let said = "\(drop.failure)"
        let reason = said.hasPrefix("\(path): ") ? said.dropFirst(path.count + 2) : said[...]
        dropped.append(Dropped(path: path, reason: "\(reason), on page \(page.request.index + 1)"))
      }
    }
  }

  /// The reason why the search ended, if the user should know it.
  var ending: String? {
    switch end {
    case _ where isIncomplete: "There may be more books; use a higher --max-requests to see them."
    case .repetition: "The server started to repeat results."
    case .shortPage, .emptyPage, .lastPage, nil: nil
    }
  }
}
