import Decoding
import ExampleSupport

/// What the movie database found for a title, in its order.
struct MovieHits: Sendable {
  let title: String
  let year: Int?
  let movies: [MovieFacts]

  /// The place of the movie with just this title, and of this year where one was given.
  var exactPlace: Int? {
    let key = Movie.key(for: title)
    return movies.firstIndex { fits($0) && Movie.key(for: $0.title) == key }
  }

  /// The same, else the place of the first of this year; nil where nothing was found.
  var bestPlace: Int? { exactPlace ?? movies.firstIndex(where: fits) }

  /// The movie with this number, counted from 1.
  func movie(_ number: Int) throws(Failure) -> MovieFacts {
    guard movies.indices.contains(number - 1) else {
      let all = movies.count == 1 ? "there is 1 movie" : "there are \(movies.count) movies"
      throw Failure("\(all) for “\(title)”, and no number \(number)")
    }
    return movies[number - 1]
  }

  private func fits(_ movie: MovieFacts) -> Bool { year == nil || movie.year == year }
}

/// A page of what was found. A hit that is broken does not cost the others; a page of nothing else is none.
struct MoviePage: Decodable, Sendable {
  let movies: [MovieFacts]

  init(from decoder: any Decoder) throws {
    let hits: Lossy<MovieFacts> = try decoder.nested().decodeLossy(at: "results")
    if hits.values.isEmpty, let drop = hits.drops.first { throw drop.failure }
    var ids: Set<Int64> = []
    movies = hits.values.filter { ids.insert($0.id).inserted }
  }
}
