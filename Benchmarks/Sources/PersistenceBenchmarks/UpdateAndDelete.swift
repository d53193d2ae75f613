import BenchmarkSupport
import GRDBPeer
import Persistence
import PersistenceModel
import RawSQLite

private let ids = 1...Int64(SampleMovies.count)

extension Benchmark {
  /// One attribute of all objects changed in one `persist`: from the first change to the commit, objects in memory.
  static var update: Benchmark {
    let stores = FilledStores(Movie.self)
    return Benchmark(
      "update one attribute of all in one persist", unit: "ms",
      ours: {
        try await stores.timeOfSave { _, movie in
          movie.votes = 4
        } check: {
          try expectVotes($0.aggregate(over: FetchDescriptor(Movie.self)) { $0.sum { $0.votes } })
        }
      },
      peers: [
        Peer("the raw loop", must: 1 / 1.6, goal: 1 / 1.2) {
          let workspace = try Workspace()
          let store = try stores.copyOfRaw(to: workspace)
          try expectCount(store.movies().count)
          let time = try milliseconds { try store.updateVotes(of: ids, to: 4) }
          try expectVotes(store.sumOfVotes())
          return withExtendedLifetime(workspace) { time }
        },
        Peer("GRDB updateChanges", must: 5, goal: 8) {
          let workspace = try Workspace()
          let store = try stores.copyOfGRDB(to: workspace)
          let time = try store.changeAll(votes: 4) { try milliseconds($0) }
          try expectVotes(store.sumOfVotes())
          return withExtendedLifetime(workspace) { time }
        },
      ])
  }

  /// All objects deleted in one `persist`: from the first deletion to the commit, objects in memory.
  static var delete: Benchmark {
    let stores = FilledStores(Movie.self)
    return Benchmark(
      "delete all in one persist", unit: "ms",
      ours: {
        try await stores.timeOfSave { objects, movie in
          objects.delete(movie)
        } check: {
          try expectNone($0.count(Movie.self))
        }
      },
      peers: [
        Peer("the raw loop", must: 1, goal: 1 / 0.7) {
          let workspace = try Workspace()
          let store = try stores.copyOfRaw(to: workspace)
          try expectCount(store.movies().count)
          let time = try milliseconds { try store.delete(ids) }
          try expectNone(store.count())
          return withExtendedLifetime(workspace) { time }
        },
        Peer("GRDB delete", must: 6, goal: 9) {
          let workspace = try Workspace()
          let store = try stores.copyOfGRDB(to: workspace)
          let time = try store.deleteAll { try milliseconds($0) }
          try expectNone(store.count())
          return withExtendedLifetime(workspace) { time }
        },
      ])
  }
}

extension FilledStores {
  /// All objects of a copy in memory: the milliseconds from the first change to the commit.
  func timeOfSave(
    change: @Sendable (ObjectSpace, Object) -> Void, check: @Sendable (ObjectSpace) throws -> Void
  ) async throws -> Double {
    let workspace = try Workspace()
    let container = try await copyOfContainer(to: workspace)
    let context = container.newContext()
    let begin = try await context.persist { objects in
      let all = try objects.fetch(Object.self)
      let begin = ContinuousClock.now
      for object in all { change(objects, object) }
      return begin
    }
    let time = (ContinuousClock.now - begin) / .milliseconds(1)
    try await context.perform { try check($0) }
    await container.close()
    return withExtendedLifetime(workspace) { time }
  }
}

private func expectVotes(_ sum: Int64) throws {
  guard sum == 4 * Int64(SampleMovies.count) else { throw WrongResult("\(sum) votes") }
}

private func expectNone(_ count: Int) throws {
  guard count == 0 else { throw WrongResult("\(count) rows are left") }
}
