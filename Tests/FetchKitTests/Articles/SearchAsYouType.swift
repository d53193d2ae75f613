import Decoding
import FetchKit
import Foundation

/// The program of the article with this name, verbatim except for the enclosing enum.
enum SearchAsYouType {
  enum MovieDB: Endpoint {
    case search(title: String)

    var baseURL: URL { URL(string: "https://api.example.com/3")! }
    var path: String { "search/movie" }
    var queryItems: [URLQueryItem] {
      switch self {
      case .search(let title): [URLQueryItem(name: "query", value: title)]
      }
    }
  }

  struct Movie: Decodable, Sendable {
    var id: Int64
    var title: String
  }

  @MainActor final class SearchScreen {
    private(set) var movies: [Movie] = []
    private(set) var message = ""
    private var search: LatestFetch<String, [Movie]>?

    init(_ client: FetchClient, clock: any Clock<Duration> = ContinuousClock()) {
      search = LatestFetch(
        client, .elements(of: Movie.self, at: "results"),
        pace: .debounce(.milliseconds(300)), clock: clock
      ) { title in
        MovieDB.search(title: title)
      } deliver: { @MainActor [weak self] title, result in
        self?.show(result, for: title)
      }
    }

    func textDidChange(to text: String) {
      if text.isEmpty {
        search?.cancel()
        movies = []
      } else {
        search?(text)
      }
    }

    private func show(_ result: Result<[Movie], FetchError>, for title: String) {
      switch result {
      case .success(let found):
        movies = found
        message =
          found.isEmpty
          ? "Nothing is called “\(title)”."
          : "\(found.count) found for “\(title)”."
      case .failure(let error):
        message =
          error.isRetryable
          ? "The server cannot be reached just now." : error.description
      }
    }
  }

  struct Program {
    static func main() async throws {
      let screen = await SearchScreen(FetchClient())
      for length in 1...5 {
        await screen.textDidChange(to: String("fargo".prefix(length)))
        try await Task.sleep(for: .milliseconds(120))
      }
      try await Task.sleep(for: .seconds(2))
      print(await screen.message)
    }
  }
}
