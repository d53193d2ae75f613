import BenchmarkSupport
import GRDBPeer
import Persistence
import PersistenceModel

extension Benchmark {
  /// All objects fetched by a context that holds them already, and has answered the same request before.
  static var warmFetch: Benchmark {
    let stores = FilledStores(Movie.self)
    return Benchmark(
      "warm fetch, all objects in the identity map", unit: "ms",
      ours: {
        let context = try await stores.container().newContext()
        return try await context.perform { objects in
          let held = try objects.fetch(Movie.self)
          try expectCount(objects.fetch(Movie.self).count)
          var movies: [Movie] = []
          let time = try milliseconds { movies = try objects.fetch(Movie.self) }
          try expectCount(movies.count)
          guard movies[77] === held[77] else { throw WrongResult("another object for the same row") }
          return time
        }
      },
      peers: [
        Peer("GRDB hand-written", must: 2, goal: 3) {
          let store = try stores.grdb()
          var movies: [HandWrittenMovie] = []
          let time = try milliseconds { movies = try store.handWritten() }
          try expectCount(movies.count)
          return time
        }
      ])
  }
}
