import ExampleSupport

/// What the movie database found for a title, in its order.
struct MovieHits: Sendable {
  let title: String
  let movies: [MovieFacts]

  /// The place of the movie with just this title, else the first; nil where nothing was found.
  var bestPlace: Int? {
    let key = Movie.key(for: title)
    return movies.firstIndex { Movie.key(for: $0.title) == key } ?? movies.indices.first
  }

  /// The movie with this number, counted from 1.
  func movie(_ number: Int) throws(Failure) -> MovieFacts {
    guard movies.indices.contains(number - 1) else {
      throw Failure("there are \(movies.count) movies for “\(title)”, and no number \(number)")
    }
    return movies[number - 1]
  }
}
