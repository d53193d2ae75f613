import BenchmarkSupport
import GRDBPeer
import Persistence
import PersistenceModel
import PersistenceTesting

private let owners = 1_000
private let members = 10
private let sum = Int64(owners * (0..<members).reduce(0, +))

extension Benchmark {
  /// All owners of a to-many fetched with their members, and walked: two queries.
  static var walk: Benchmark {
    let stores = DirectorStores(owners: owners, members: members)
    return Benchmark(
      "to-many of 1 000 owners x 10, walked", unit: "ms",
      ours: {
        let context = try await stores.container().newContext()
        return try await context.perform { objects in
          var total: Int64 = 0
          let time = try milliseconds {
            try objects.expectQueries(atMost: 2) {
              let request = FetchDescriptor(Director.self).prefetching(\.films)
              for director in try objects.fetch(request) { for film in director.films { total += film.year } }
            }
          }
          try expectSum(total)
          return time
        }
      },
      peers: [
        Peer("GRDB including(all:), Codable", must: 3, goal: 5) {
          let store = try stores.grdb()
          var total: Int64 = 0
          let time = try milliseconds { total = try store.walkCodable() }
          try expectSum(total)
          return time
        },
        Peer("GRDB including(all:), hand-written", must: 2, goal: 2.7) {
          let store = try stores.grdb()
          var total: Int64 = 0
          let time = try milliseconds { total = try store.walkHandWritten() }
          try expectSum(total)
          return time
        },
      ])
  }
}

private func expectSum(_ total: Int64) throws {
  guard total == sum else { throw WrongResult("\(total) instead of \(sum)") }
}
