import Decoding

/// What the movie database says about a movie, as a search hit or in full.
struct MovieFacts: Decodable, Sendable {
  let id: Int64
  let title: String
  let popularity: Double?
  let rating: Double?

  init(from decoder: any Decoder) throws {
    let json = try decoder.nested()
    id = try json.decode(at: "id")
    title = try json.decode(at: "title")
    popularity = try json.decodeIfPresent(at: "popularity")
    rating = try json.decodeIfPresent(at: "vote_average")
  }
}
