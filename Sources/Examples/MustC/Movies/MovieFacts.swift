import Decoding
import ExampleSupport

/// A movie as described by the movie database, in a search result or in full.
struct MovieFacts: Decodable, Sendable {
  let id: Int64
  let title: String
  /// How often the movie is viewed. This is not a rating.
  let popularity: Double?
  /// The rating, from 0 to 10. Values outside that range are discarded.
  let rating: Double?
  /// The year, or nil if the database has no date, which it writes as an empty string.
  let year: Int?

  init(from decoder: any Decoder) throws {
    let json = try decoder.nested()
    id = try json.decode(at: "id", as: .numberOrString)
    title = try json.decode(at: "title", as: .words)
    let popularity: Double? = try json.decodeIfPresent(at: "popularity", as: .numberOrString)
    self.popularity = popularity.flatMap { $0 >= 0 && $0.isFinite ? $0 : nil }
    let rating: Double? = try json.decodeIfPresent(at: "vote_average", as: .numberOrString)
    self.rating = rating.flatMap { (0...10).contains($0) ? $0 : nil }
    year = try json.words(at: "release_date").flatMap { Int($0.prefix(4)) }
      .flatMap { MustC.years.contains($0) ? $0 : nil }
  }

  /// Copies the known values. A missing number leaves the existing one unchanged.
  func write(to movie: Movie) {
    movie.remoteID = id
    movie.year = year ?? movie.year
    movie.popularity = popularity ?? movie.popularity
    movie.rating = rating ?? movie.rating
  }
}
