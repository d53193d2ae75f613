import Decoding
import ExampleSupport

/// The movies found for a title, in the order of the movie database.
struct MovieHits: Sendable {
  let title: String
  let year: Int?
  let movies: [MovieFacts]

  /// The index of the movie with exactly this title, and with this year if one was given.
  var exactPlace: Int? {
    let key = Movie.key(for: title)
    return movies.firstIndex { fits($0) && Movie.key(for: $0.title) == key }
  }

  /// The index of the exact match, or otherwise of the first movie from this year. Nil if there is none.
  var bestPlace: Int? { exactPlace ?? movies.firstIndex(where: fits) }

  /// The movie with this number, counted from 1.
  func movie(_ number: Int) throws(Failure) -> MovieFacts {
    guard movies.indices.contains(number - 1) else {
      let all = movies.count == 1 ? "there is 1 movie" : "there are \(movies.count) movies"
      throw Failure("\(all) for “\(title)”, but no number \(number)")
    }
    return movies[number - 1]
  }

  private func fits(_ movie: MovieFacts) -> Bool { year == nil || movie.year == year }
}

/// A page of search results. Broken results do not discard the others. A page that contains only broken results causes
/// an error.
struct MoviePage: Decodable, Sendable {
  let movies: [MovieFacts]

  init(from decoder: any Decoder) throws {
    let hits: Lossy<MovieFacts> = try decoder.nested().decodeLossy(at: "results")
    if hits.values.isEmpty, let drop = hits.drops.first { throw drop.failure }
    var ids: Set<Int64> = []
    movies = hits.values.filter { ids.insert($0.id).inserted }
  }
}
