/// The facts of a movie that never change.
struct CatalogueMovie: Sendable {
  let id: Int64
  let title: String
  let originalTitle: String
  let language: String
  /// A date such as `"1996-03-08"`, or an empty string for movies without a date, as in the real service. It is never
  /// null.
  let releaseDate: String
  let overview: String
  let posterPath: String?
  let backdropPath: String?
  let genres: [Genre]

  struct Genre: Sendable {
    let id: Int
    let name: String

    static let all = [
      Genre(id: 18, name: "Drama"), Genre(id: 35, name: "Comedy"), Genre(id: 53, name: "Thriller"),
      Genre(id: 80, name: "Crime"), Genre(id: 878, name: "Science Fiction"), Genre(id: 10751, name: "Family"),
    ]
  }
}
