import BenchmarkSupport
import GRDBPeer
import Persistence
import PersistenceModel
import RawSQLite

extension Benchmark {
  /// All objects fetched into a context that holds none, sorted by id, with identity map.
  static var coldFetch: Benchmark {
    let stores = FilledStores(Movie.self)
    return Benchmark(
      "cold fetch, all objects with identity map", unit: "ms",
      ours: {
        let container = try await stores.container()
        let context = container.newContext()
        return try await context.perform { objects in
          var movies: [Movie] = []
          let time = try milliseconds { movies = try objects.fetch(Movie.self) }
          try expectCount(movies.count)
          guard movies[77].title == SampleMovies.title(77) else { throw WrongResult("the wrong order") }
          return time
        }
      },
      peers: [
        Peer("raw tuples", must: 1 / 1.35, goal: 1 / 1.15) {
          let store = try stores.raw()
          var movies: [RawStore.Movie] = []
          let time = try milliseconds { movies = try store.movies() }
          try expectCount(movies.count)
          return time
        },
        Peer("GRDB hand-written", must: 1.0, goal: 1 / 0.85) {
          let store = try stores.grdb()
          var movies: [HandWrittenMovie] = []
          let time = try milliseconds { movies = try store.handWritten() }
          try expectCount(movies.count)
          return time
        },
        Peer("GRDB Codable", must: 3.0, goal: 3.5) {
          let store = try stores.grdb()
          var movies: [CodableMovie] = []
          let time = try milliseconds { movies = try store.codable() }
          try expectCount(movies.count)
          return time
        },
      ])
  }
}
