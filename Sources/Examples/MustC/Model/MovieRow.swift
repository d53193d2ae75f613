/// A movie as it is listed: a copy that may go anywhere.
struct MovieRow: Sendable, Encodable, Equatable {
  let title: String
  let remoteID: Int64?
  let popularity: Double?
  let rating: Double?
  let members: [String]

  init(_ movie: Movie) {
    title = movie.title
    remoteID = movie.remoteID
    popularity = movie.popularity
    rating = movie.rating
    members = movie.familyMembers.map(\.name).sorted()
  }

  private enum CodingKeys: String, CodingKey { case title, remoteID, popularity, rating, members }

  // By hand, so that what is not known yet is null and not left out.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(title, forKey: .title)
    try container.encode(remoteID, forKey: .remoteID)
    try container.encode(popularity, forKey: .popularity)
    try container.encode(rating, forKey: .rating)
    try container.encode(members, forKey: .members)
  }
}
