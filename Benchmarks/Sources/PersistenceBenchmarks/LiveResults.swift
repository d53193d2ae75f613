import BenchmarkSupport
import Dispatch
import GRDBPeer
import Persistence
import PersistenceModel

extension Benchmark {
  /// Changes that move objects in a sorted, filtered result of all: from the beginning of the write until the update
  /// has come.
  private static func results(
    _ work: String, changing count: Int, times: Int, scattered isScattered: Bool = true,
    records: (must: Double, goal: Double),
    ids: (must: Double, goal: Double)?
  ) -> Benchmark {
    let stores = FilledStores(Movie.self)
    var peers = [
      Peer("GRDB ValueObservation of the records", must: records.must, goal: records.goal) {
        try await stores.grdb().observeRecords(changes: changes(count, times: times, isScattered))
      }
    ]
    if let ids {
      peers.append(
        Peer("GRDB ValueObservation of the ids", must: ids.must, goal: ids.goal) {
          try await stores.grdb().observeIDs(changes: changes(count, times: times, isScattered))
        })
    }
    return Benchmark(
      work, unit: "ms",
      ours: {
        let container = try await stores.container()
        let context = container.newContext()
        let request = FetchDescriptor(
          Movie.self, where: { $0.votes > 0 }, sort: [.ascending(\.popularity), .ascending(\.title)])
        let results = try await container.results(request)
        try expectCount(results.snapshot.count)
        var updates = results.updates.makeAsyncIterator()
        _ = await updates.next()
        let begin = ContinuousClock.now
        for rows in changes(count, times: times, isScattered) {
          try await context.persist { objects in
            for row in rows { try objects.object(ObjectID<Movie>(rawValue: row.id)).popularity = row.popularity }
          }
          _ = await updates.next()
        }
        return (ContinuousClock.now - begin) / .milliseconds(1) / Double(times)
      }, peers: peers)
  }

  /// Random places for objects anywhere in the store, or for neighbours, as a page of a list is.
  private static func changes(
    _ count: Int, times: Int, _ isScattered: Bool
  ) -> [[(id: Int64, popularity: Double)]] {
    (0..<times).map { _ in
      let first = Int.random(in: 1...SampleMovies.count - count + 1)
      return (0..<count).map { index in
        let id = isScattered ? Int.random(in: 1...SampleMovies.count) : first + index
        return (Int64(id), Double.random(in: 0..<Double(SampleMovies.count)))
      }
    }
  }

  static var resultsOneChange: Benchmark {
    results(
      "one change reaching sorted, filtered results", changing: 1, times: 20, records: (300, 700), ids: (200, 400))
  }

  static var resultsManyChanges: [Benchmark] {
    [
      results(
        "1 000 neighbours changed in one commit, the same results", changing: 1_000, times: 4, scattered: false,
        records: (10, 20), ids: nil),
      results(
        "1 000 objects anywhere changed in one commit, the same results", changing: 1_000, times: 4, records: (10, 20),
        ids: nil),
    ]
  }

  /// A commit of two attributes of 10 000 objects reaching a context that holds them.
  static var followCommit: Benchmark {
    let stores = FilledStores(Movie.self)
    let request = FetchDescriptor(Movie.self, limit: 10_000)
    return Benchmark(
      "a commit of 10 000 objects taken by another context that holds them", unit: "ms",
      ours: {
        let container = try await stores.container()
        let (writer, follower) = (container.newContext(), container.newContext())
        let held = Held()
        try await follower.perform { held.movies = try $0.fetch(request) }
        // What the commit puts on the context's queue waits there until the clock runs.
        let gate = DispatchSemaphore(value: 0)
        async let waiting: Void = follower.perform { _ in gate.wait() }
        try await writer.persist { objects in
          for movie in try objects.fetch(request) {
            movie.votes += 1
            movie.title += "x"
          }
        }
        let votes = try await writer.perform { try $0.fetch(request)[9_999].votes }
        let begin = ContinuousClock.now
        gate.signal()
        try await waiting
        let taken = try await follower.perform { _ in held.movies[9_999].votes }
        let time = (ContinuousClock.now - begin) / .milliseconds(1)
        try await follower.perform { _ in held.movies = [] }
        guard taken == votes else { throw WrongResult("\(taken) votes instead of \(votes)") }
        return time
      },
      peers: [
        Peer("fetching them anew", must: 1 / 0.33, goal: 10) {
          let context = try await stores.container().newContext()
          return try await asyncMilliseconds { try await context.perform { _ = try $0.fetch(request) } }
        }
      ])
  }
}

/// `@unchecked Sendable`: used on one context's queue.
private final class Held: @unchecked Sendable {
  var movies: [Movie] = []
}
