import BenchmarkSupport
import Dispatch
import Persistence
import PersistenceModel

extension Benchmark {
  /// Queries beside changes that are not saved, compared with the same queries without them.
  static var pendingEdits: [Benchmark] {
    let stores = FilledStores(UniqueMovie.self, isUnique: true)
    return [
      Benchmark(
        "1 000 of 100 000 by an index, 20 objects changed", unit: "µs",
        ours: { try await timeOfFetches(in: stores.container(), changed: 20) },
        peers: [
          Peer("nothing changed", must: 1 / 2, goal: 1 / 1.2) {
            try await timeOfFetches(in: stores.container(), changed: 0)
          }
        ]),
      Benchmark(
        "an edit and a fetch, after 10 000 pending inserts", unit: "µs",
        ours: { try await timeOfEdits(in: stores.container(), inserted: 10_000) },
        peers: [
          Peer("after 20", must: 1 / 2, goal: 1 / 1.3) { try await timeOfEdits(in: stores.container(), inserted: 20) }
        ]),
      Benchmark(
        "an edit and a fetch, while another context writes", unit: "µs",
        ours: {
          let container = try await stores.container()
          let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
          let writer = container.newContext()
          let writing = Task {
            try? await writer.persist { objects in
              try objects.fetch(UniqueMovie.self, where: { $0.remoteID == 99_000 })[0].votes = 9
              _ = try objects.count(UniqueMovie.self, where: { $0.votes == 9 })
              begun.signal()
              end.wait()
              throw WrongResult("the writer rolls back")
            }
          }
          await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
              begun.wait()
              continuation.resume()
            }
          }
          defer { end.signal() }
          let time = try await timeOfEdits(in: container, inserted: 0)
          end.signal()
          await writing.value
          return time
        },
        peers: [
          Peer("no one else", must: 0.9, goal: 1) { try await timeOfEdits(in: stores.container(), inserted: 0) }
        ]),
    ]
  }
}

/// The time of a fetch of objects that are not changed, most of them in memory.
private func timeOfFetches(in container: PersistentContainer, changed: Int) async throws -> Double {
  let context = container.newContext()
  let time = try await context.perform { objects in
    for movie in try objects.fetch(UniqueMovie.self, where: { $0.remoteID.isIn(70_000..<70_000 + Int64(changed)) }) {
      movie.votes += 1
    }
    let fetches = 50
    let request = FetchDescriptor<UniqueMovie>(where: { $0.remoteID.isIn(5_000..<6_000) })
    var movies = try objects.fetch(request)
    let time = try milliseconds { for _ in 0..<fetches { movies = try objects.fetch(request) } }
    guard movies.count == 1_000 else { throw WrongResult("\(movies.count) found") }
    return time * 1_000 / Double(fetches)
  }
  await context.reset()
  return time
}

/// The time of an edit of one object and a fetch of a hundred.
private func timeOfEdits(in container: PersistentContainer, inserted: Int) async throws -> Double {
  let context = container.newContext()
  let time = try await context.perform { objects in
    for number in 0..<inserted {
      SampleMovies.insert(SampleMovies.count + number, as: UniqueMovie.self, into: objects)
    }
    let movies = try objects.fetch(UniqueMovie.self, where: { $0.remoteID.isIn(5_000..<5_100) })
    let request = FetchDescriptor<UniqueMovie>(where: { $0.remoteID.isIn(5_000..<5_100) })
    var found = try objects.fetch(request)
    let edits = 100
    let time = try milliseconds {
      for number in 0..<edits {
        movies[number].votes += 1
        found = try objects.fetch(request)
      }
    }
    guard found == movies else { throw WrongResult("\(found.count) found") }
    return time * 1_000 / Double(edits)
  }
  await context.reset()
  return time
}
