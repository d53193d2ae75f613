import BenchmarkSupport
import GRDBPeer
import Persistence
import PersistenceModel
import RawSQLite

extension Benchmark {
  /// Creation and save of all objects in one `persist`, each round into a new file.
  static var insert: Benchmark {
    Benchmark(
      "insert, creation and save in one persist", unit: "ms",
      ours: {
        let workspace = try Workspace()
        let container = try await PersistentContainer(
          at: .file(workspace.url("ours.store")), schema: Schema(Movie.self))
        let context = container.newContext()
        let time = try await asyncMilliseconds {
          try await context.persist { objects in
            for index in 0..<SampleMovies.count { SampleMovies.insert(index, as: Movie.self, into: objects) }
          }
        }
        try await expectCount(context.perform { try $0.fetch(Movie.self).count })
        return withExtendedLifetime(workspace) { time }
      },
      peers: [
        Peer("the raw one-row loop", must: 1 / 1.2, goal: 1.0) {
          let workspace = try Workspace()
          let store = try RawStore(path: workspace.path("raw.db"))
          try store.createMovies()
          let time = try milliseconds { try store.insert(SampleMovies.count, SampleMovies.raw) }
          try expectCount(store.count())
          return withExtendedLifetime(workspace) { time }
        },
        Peer("GRDB hand-written", must: 3.5, goal: 4.5) {
          let workspace = try Workspace()
          let store = try GRDBStore(path: workspace.path("grdb.db"))
          try store.createMovies()
          let time = try milliseconds { try store.insert(SampleMovies.handWritten, count: SampleMovies.count) }
          try expectCount(store.handWritten().count)
          return withExtendedLifetime(workspace) { time }
        },
      ])
  }
}

extension SampleMovies {
  static func insert<Object: SampleMovie>(_ index: Int, as type: Object.Type, into objects: ObjectSpace) {
    let movie = objects.insert(type)
    movie.title = title(index)
    movie.popularity = Double(index)
    movie.remoteID = Int64(index)
    movie.overview = overview(index)
    movie.released = released
    movie.votes = 3
  }
}

func expectCount(_ count: Int) throws {
  guard count == SampleMovies.count else { throw WrongResult("\(count) rows instead of \(SampleMovies.count)") }
}
