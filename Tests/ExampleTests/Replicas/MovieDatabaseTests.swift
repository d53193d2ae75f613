import Foundation
import Testing

@testable import ExampleReplicas

@Suite struct MovieDatabaseTests {
  private let database = MovieDatabase()

  private func search(_ text: String, page: String? = nil, tick: Int = 0) throws -> [String: Any] {
    var query = ["api_key": "any", "query": text]
    query["page"] = page
    return try object(database.answer(path: "search/movie", query: query, tick: tick))
  }

  private func object(_ answer: Answer) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: answer.body) as? [String: Any])
  }

  @Test func `the exact title is the first hit, whatever its popularity`() throws {
    let results = try #require(try search("alien")["results"] as? [[String: Any]])
    #expect(results.count == 2)
    #expect(results.first?["title"] as? String == "Alien")
  }

  @Test func `a movie search ignores accents and case`() throws {
    let results = try #require(try search("AMELIE")["results"] as? [[String: Any]])
    #expect(results.first?["title"] as? String == "Amélie")
  }

  @Test func `a search without hits is an empty list and no error`() throws {
    let answer = try search("no such movie")
    #expect(answer["total_results"] as? Int == 0)
    #expect(answer["total_pages"] as? Int == 0)
    #expect((answer["results"] as? [Any])?.isEmpty == true)
  }

  @Test func `pages have twenty hits, no hit is on two pages, and together they are all hits`() throws {
    let total = try #require(try search("the")["total_results"] as? Int)
    let pages = try #require(try search("the")["total_pages"] as? Int)
    var ids: [Int] = []
    for page in 1...pages {
      let results = try #require(try search("the", page: "\(page)")["results"] as? [[String: Any]])
      #expect(results.count == (page < pages ? MovieDatabase.pageSize : total - ids.count))
      ids += results.compactMap { $0["id"] as? Int }
    }
    #expect(ids.count == total)
    #expect(Set(ids).count == total)
  }

  @Test func `a missing key is refused with code 7, an unknown movie with code 34`() throws {
    let refused = database.answer(path: "movie/101", query: [:], tick: 0)
    #expect(refused.status == 401)
    #expect(try object(refused)["status_code"] as? Int == 7)
    let unknown = database.answer(path: "movie/0", query: ["api_key": "any"], tick: 0)
    #expect(unknown.status == 404)
    #expect(try object(unknown)["status_code"] as? Int == 34)
  }

  @Test func `every movie's numbers change with the tick`() {
    for movie in MovieCatalogue.movies {
      #expect(MovieNumbers(id: movie.id, tick: 1) != MovieNumbers(id: movie.id, tick: 2))
      #expect(MovieNumbers(id: movie.id, tick: 1) == MovieNumbers(id: movie.id, tick: 1))
    }
  }

  @Test func `the movie replica has the real service's oddities`() {
    let movies = MovieCatalogue.movies
    #expect(Set(movies.map(\.id)).count == movies.count)
    #expect(movies.contains { $0.posterPath == nil } && movies.contains { $0.posterPath != nil })
    #expect(movies.contains { $0.releaseDate.isEmpty } && movies.contains { !$0.releaseDate.isEmpty })
    #expect(movies.contains { $0.title != $0.originalTitle })
    let ratings = movies.map { MovieNumbers(id: $0.id, tick: 0).rating }
    #expect(ratings.contains { $0 == $0.rounded() } && ratings.contains { $0 != $0.rounded() })
  }

  @Test func `a whole rating is written without a fraction`() throws {
    let movie = try #require(
      MovieCatalogue.movies.first { MovieNumbers(id: $0.id, tick: 0).rating.truncatingRemainder(dividingBy: 1) == 0 })
    let answer = database.answer(path: "movie/\(movie.id)", query: ["api_key": "any"], tick: 0)
    let text = String(decoding: answer.body, as: UTF8.self)
    #expect(text.contains(try Regex(#""vote_average":\d+[,}]"#)))
  }
}
