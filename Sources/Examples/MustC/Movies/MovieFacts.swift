import Decoding

/// What the movie database says about a movie, as a search hit or in full.
struct MovieFacts: Decodable, Sendable {
  let id: Int64
  let title: String
  /// How much the movie is looked at; no rating.
  let popularity: Double?
  let rating: Double?
  /// Nil where the database has no date, which it writes as an empty text.
  let year: String?

  init(from decoder: any Decoder) throws {
    let json = try decoder.nested()
    id = try json.decode(at: "id")
    title = try json.decode(at: "title")
    popularity = try json.decodeIfPresent(at: "popularity")
    rating = try json.decodeIfPresent(at: "vote_average")
    let date: String? = try json.decodeIfPresent(at: "release_date")
    year = date.flatMap { $0.isEmpty ? nil : String($0.prefix(4)) }
  }
}
