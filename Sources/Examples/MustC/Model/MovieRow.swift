import ExampleSupport

/// A copy of a movie for lists, which can be passed anywhere.
struct MovieRow: Sendable, Encodable, Equatable {
  let title: String
  @Nullable var year: Int?
  @Nullable var remoteID: Int64?
  @Nullable var popularity: Double?
  @Nullable var rating: Double?
  let members: [String]

  init(_ movie: Movie) {
    title = movie.title
    year = movie.year
    remoteID = movie.remoteID
    popularity = movie.popularity
    rating = movie.rating
    members = movie.familyMembers.map(\.name).sorted()
  }
}

/// A family member and the movies that the person wants to see.
struct MemberRow: Sendable, Encodable, Equatable {
  let name: String
  let movies: [String]

  init(_ member: FamilyMember) {
    name = member.name
    movies = member.movies.map(\.title).sorted()
  }
}
