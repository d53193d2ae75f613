import BenchmarkSupport
import GRDBPeer
import Persistence
import PersistenceModel
import RawSQLite

extension Benchmark {
  /// One object by a unique attribute, again and again; the object is not in memory.
  static var find: Benchmark {
    let stores = FilledStores(UniqueMovie.self, isUnique: true)
    let remoteIDs = SampleMovies.scattered(20_000)
    return Benchmark(
      "one object by unique attribute, in one perform", unit: "µs",
      ours: {
        let context = try await stores.container().newContext()
        return try await context.perform { objects in
          var found = 0
          let time = try milliseconds {
            for remoteID in remoteIDs {
              if try objects.first(UniqueMovie.self, where: { $0.remoteID == remoteID }) != nil { found += 1 }
            }
          }
          try expectFound(found, remoteIDs)
          return time * 1000 / Double(remoteIDs.count)
        }
      },
      peers: [
        Peer("raw, a kept statement", must: 1 / 1.5, goal: 1 / 1.1) {
          let store = try stores.raw()
          var found = 0
          let time = try milliseconds {
            try store.reading {
              for remoteID in remoteIDs where try store.movie(remoteID: remoteID) != nil { found += 1 }
            }
          }
          try expectFound(found, remoteIDs)
          return time * 1000 / Double(remoteIDs.count)
        },
        Peer("GRDB query interface", must: 8, goal: 17) {
          let store = try stores.grdb()
          var found = 0
          let time = try milliseconds { found = try store.findByQueryInterface(remoteIDs) }
          try expectFound(found, remoteIDs)
          return time * 1000 / Double(remoteIDs.count)
        },
        Peer("GRDB cached SQL", must: 1.2, goal: 1.7) {
          let store = try stores.grdb()
          var found = 0
          let time = try milliseconds { found = try store.findByCachedSQL(remoteIDs) }
          try expectFound(found, remoteIDs)
          return time * 1000 / Double(remoteIDs.count)
        },
      ])
  }

  /// The same, in a `perform` of its own each time.
  static var findEach: Benchmark {
    let stores = FilledStores(UniqueMovie.self, isUnique: true)
    let remoteIDs = SampleMovies.scattered(4_000)
    return Benchmark(
      "one object by unique attribute, a perform each", unit: "µs",
      ours: {
        let context = try await stores.container().newContext()
        var found = 0
        let time = try await asyncMilliseconds {
          for remoteID in remoteIDs {
            let isThere = try await context.perform {
              try $0.first(UniqueMovie.self, where: { $0.remoteID == remoteID }) != nil
            }
            if isThere { found += 1 }
          }
        }
        try expectFound(found, remoteIDs)
        return time * 1000 / Double(remoteIDs.count)
      },
      peers: [
        Peer("GRDB pool read", must: 4, goal: 10) {
          let store = try stores.grdb()
          var found = 0
          let time = try await asyncMilliseconds {
            for remoteID in remoteIDs where try await store.findOne(remoteID) { found += 1 }
          }
          try expectFound(found, remoteIDs)
          return time * 1000 / Double(remoteIDs.count)
        }
      ])
  }
}

private func expectFound(_ found: Int, _ remoteIDs: [Int64]) throws {
  guard found == remoteIDs.count else { throw WrongResult("\(found) of \(remoteIDs.count) found") }
}
