import Foundation

/// A replica of the movie database's two routes, `search/movie` and `movie/{id}`, including the peculiarities of the
/// real service.
///
/// Posters can be null, dates empty and ratings whole numbers. An invalid key is answered with 401 and code 7, an
/// unknown movie with 404 and code 34, and a search without matches with 200 and an empty list.
struct MovieDatabase: Sendable {
  static let pageSize = 20

  private static func failure(status: Int, code: Int, message: String) -> Answer {
    Answer(status: status, json: ["success": false, "status_code": code, "status_message": message])
  }

  private static let notFound = failure(
    status: 404, code: 34, message: "The resource you requested could not be found.")

  /// - Parameters:
  ///   - path: The path below the API's base URL, without a leading slash: `search/movie` or `movie/275`.
  ///   - query: The decoded query items.
  func answer(path: String, query: [String: String], tick: Int) -> Answer {
    guard let key = query["api_key"], !key.isEmpty else {
      return Self.failure(status: 401, code: 7, message: "Invalid API key: You must be granted a valid key.")
    }
    if path == "search/movie" { return search(query, tick: tick) }
    if path.hasPrefix("movie/") { return detail(String(path.dropFirst("movie/".count)), tick: tick) }
    return Self.notFound
  }

  private func search(_ query: [String: String], tick: Int) -> Answer {
    guard let text = query["query"], !text.isEmpty else {
      return Answer(status: 422, json: ["errors": ["query must be provided"]])
    }
    let page = query["page"].map { Int($0) } ?? 1
    guard let page, (1...500).contains(page) else {
      return Self.failure(status: 400, code: 22, message: "Invalid page: Pages start at 1 and max at 500.")
    }
    let wanted = folded(text)
    let hits = MovieCatalogue.movies
      .filter { folded($0.title).contains(wanted) || folded($0.originalTitle).contains(wanted) }
      .map { (movie: $0, numbers: MovieNumbers(id: $0.id, tick: tick), exact: folded($0.title) == wanted) }
      .sorted { a, b in
        if a.exact != b.exact { return a.exact }
        return (-a.numbers.popularity, a.movie.id) < (-b.numbers.popularity, b.movie.id)
      }
    let start = min((page - 1) * Self.pageSize, hits.count)
    let shown = hits[start..<min(start + Self.pageSize, hits.count)]
    return Answer(
      status: 200,
      json: [
        "page": page,
        "results": shown.map { hit in
          common(hit.movie, hit.numbers).merging(["genre_ids": hit.movie.genres.map(\.id)])
        },
        "total_pages": (hits.count + Self.pageSize - 1) / Self.pageSize,
        "total_results": hits.count,
      ])
  }

  private func detail(_ text: String, tick: Int) -> Answer {
    guard let id = Int64(text), let movie = MovieCatalogue.moviesByID[id] else { return Self.notFound }
    let details: JSONObject = [
      "budget": 0,
      "genres": movie.genres.map { ["id": $0.id, "name": $0.name] as JSONObject },
      "homepage": "",
      "imdb_id": String?.none,
      "revenue": 0,
      "runtime": 80 + Int(stableHash(movie.title) % 80),
      "status": "Released",
      "tagline": "",
    ]
    return Answer(status: 200, json: common(movie, MovieNumbers(id: id, tick: tick)).merging(details))
  }

  private func common(_ movie: CatalogueMovie, _ numbers: MovieNumbers) -> JSONObject {
    [
      "adult": false,
      "backdrop_path": movie.backdropPath,
      "id": movie.id,
      "original_language": movie.language,
      "original_title": movie.originalTitle,
      "overview": movie.overview,
      "popularity": numbers.popularity,
      "poster_path": movie.posterPath,
      "release_date": movie.releaseDate,
      "title": movie.title,
      "video": false,
      "vote_average": numbers.rating,
      "vote_count": numbers.votes,
    ]
  }

  private func folded(_ text: String) -> String {
    text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
  }
}
