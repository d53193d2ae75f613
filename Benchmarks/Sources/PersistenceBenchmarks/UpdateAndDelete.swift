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
        let workspace = try Workspace()
        let container = try await stores.copyOfContainer(to: workspace)
        let context = container.newContext()
        let begin = try await context.persist { objects in
          let movies = try objects.fetch(Movie.self)
          let begin = ContinuousClock.now
          for movie in movies { movie.votes = 4 }
          return begin
        }
        let time = (ContinuousClock.now - begin) / .milliseconds(1)
        try await expectVotes(context.perform { try $0.aggregate(.sum(\Movie.votes)) })
        await container.close()
        return withExtendedLifetime(workspace) { time }
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
        let workspace = try Workspace()
        let container = try await stores.copyOfContainer(to: workspace)
        let context = container.newContext()
        let begin = try await context.persist { objects in
          let movies = try objects.fetch(Movie.self)
          let begin = ContinuousClock.now
          for movie in movies { objects.delete(movie) }
          return begin
        }
        let time = (ContinuousClock.now - begin) / .milliseconds(1)
        try await expectNone(context.perform { try $0.count(Movie.self) })
        await container.close()
        return withExtendedLifetime(workspace) { time }
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

private func expectVotes(_ sum: Int64) throws {
  guard sum == 4 * Int64(SampleMovies.count) else { throw WrongResult("\(sum) votes") }
}

private func expectNone(_ count: Int) throws {
  guard count == 0 else { throw WrongResult("\(count) rows are left") }
}
