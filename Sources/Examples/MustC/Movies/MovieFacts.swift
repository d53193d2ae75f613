import Decoding
import ExampleSupport

/// What the movie database says about a movie, as a search hit or in full.
struct MovieFacts: Decodable, Sendable {
  let id: Int64
  let title: String
  /// How much the movie is looked at; no rating.
  let popularity: Double?
  /// From 0 to 10: what is beyond is no rating.
  let rating: Double?
  /// Nil where the database has no date, which it writes as an empty text.
  let year: Int?

  init(from decoder: any Decoder) throws {
    let json = try decoder.nested()
    id = try json.decode(at: "id", as: .numberOrText)
    title = try json.decode(at: "title", as: .words)
    let popularity: Double? = try json.decodeIfPresent(at: "popularity", as: .numberOrText)
    self.popularity = popularity.flatMap { $0 >= 0 && $0.isFinite ? $0 : nil }
    let rating: Double? = try json.decodeIfPresent(at: "vote_average", as: .numberOrText)
    self.rating = rating.flatMap { (0...10).contains($0) ? $0 : nil }
    year = try json.words(at: "release_date").flatMap { Int($0.prefix(4)) }
      .flatMap { MustC.years.contains($0) ? $0 : nil }
  }

  /// Takes over what is known: a number that is missing leaves the one that was there.
  func write(to movie: Movie) {
    movie.remoteID = id
    movie.year = year ?? movie.year
    movie.popularity = popularity ?? movie.popularity
    movie.rating = rating ?? movie.rating
  }
}
