import BenchmarkSupport
import GRDBPeer
import HeapSize
import Persistence
import PersistenceModel

extension Benchmark {
  /// What the allocator counts for all objects held, with the identity map, once the caches of the store are warm.
  static var memory: Benchmark {
    let stores = FilledStores(Movie.self)
    return Benchmark(
      "memory, all objects held", unit: "B/object",
      ours: {
        let context = try await stores.container().newContext()
        return try await context.perform { objects in
          try expectCount(objects.fetch(Movie.self).count)
          let before = bench_heap_size()
          let movies = try objects.fetch(Movie.self)
          let after = bench_heap_size()
          try expectCount(movies.count)
          return withExtendedLifetime(movies) { Double(after - before) / Double(SampleMovies.count) }
        }
      },
      peers: [
        Peer("a reserved array of structs", must: 1 / 1.6, goal: 1 / 1.4) {
          let before = bench_heap_size()
          var movies: [HandWrittenMovie] = []
          movies.reserveCapacity(SampleMovies.count)
          for index in 0..<SampleMovies.count { movies.append(SampleMovies.handWritten(index)) }
          let after = bench_heap_size()
          try expectCount(movies.count)
          return withExtendedLifetime(movies) { Double(after - before) / Double(SampleMovies.count) }
        }
      ])
  }
}
