/// The replica's movies: some well-known ones, so that a first search finds something, and many generated ones.
///
/// Everything except the known titles is derived from an index, so every process has the same catalogue.
enum MovieCatalogue {
  static let movies: [CatalogueMovie] = {
    var movies: [CatalogueMovie] = []
    for known in KnownMovie.all { movies.append(movie(known, index: movies.count)) }
    for adjective in adjectives {
      for noun in nouns {
        let year = 1950 + Int(stableHash(adjective, noun) % 75)
        movies.append(movie(KnownMovie("The \(adjective) \(noun)", year), index: movies.count))
      }
    }
    return movies
  }()

  static let moviesByID = Dictionary(uniqueKeysWithValues: movies.map { ($0.id, $0) })

  private static let adjectives = ["Silent", "Crimson", "Borrowed", "Last", "Paper", "Restless", "Distant", "Gilded"]
  private static let nouns = [
    "Harbour", "Orchard", "Witness", "Cartographer", "Winter", "Pantry", "Lighthouse", "Passenger", "Apprentice",
    "Masquerade", "Telegram", "Ferryman",
  ]

  private static func movie(_ known: KnownMovie, index: Int) -> CatalogueMovie {
    let hash = stableHash(known.title, "\(index)")
    // As in the real data, some posters and backdrops are null, some dates are empty, and some titles are not English.
    let hasDate = known.year != nil && hash % 29 != 0
    let month = 1 + hash / 7 % 12
    let day = 1 + hash / 11 % 28
    return CatalogueMovie(
      id: Int64(101 + index * 17),
      title: known.title,
      originalTitle: known.originalTitle ?? known.title,
      language: known.language,
      releaseDate: hasDate ? "\(known.year ?? 0)-\(twoDigits(month))-\(twoDigits(day))" : "",
      overview: "What happens in \u{201C}\(known.title)\u{201D} is best seen and not told.",
      posterPath: hash % 5 == 0 ? nil : "/poster\(hash % 1_000_000).jpg",
      backdropPath: hash % 3 == 0 ? nil : "/backdrop\(hash % 1_000_000).jpg",
      genres: [CatalogueMovie.Genre.all[Int(hash % 6)], CatalogueMovie.Genre.all[Int((hash / 6) % 5)]]
    )
  }

  private static func twoDigits(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
