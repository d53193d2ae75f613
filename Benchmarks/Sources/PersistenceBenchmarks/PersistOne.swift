import BenchmarkSupport
import GRDBPeer
import Persistence
import PersistenceModel
import RawSQLite

private let count = 2_000

extension Benchmark {
  /// One object read, changed and committed by main-actor code: what it takes beyond the same by the C API, on one
  /// thread.
  static var persistOneFromMain: Benchmark {
    let stores = FilledStores(Movie.self)
    return Benchmark("one-object persist from the main actor, beyond raw", unit: "µs", must: 35, goal: 25) {
      let context = try await stores.container().newContext()
      let ids = try await someIDs(context)
      let ours = try await persistFromMain(context, ids)
      let store = try stores.raw()
      let raw = try milliseconds {
        for index in 0..<count { try store.changeOne(Int64(index + 1), votes: Int64(index)) }
      }
      return (ours - raw) * 1000 / Double(count)
    }
  }

  /// What a history of the commits costs.
  static var persistOneWithHistory: Benchmark {
    let stores = FilledStores(Movie.self)
    return Benchmark(
      "one-object persist from a task, with a history", unit: "µs",
      ours: {
        let workspace = try Workspace()
        let container = try await stores.copyOfContainer(to: workspace) { $0.history = .kept() }
        let time = try await persistFromTask(container)
        return withExtendedLifetime(workspace) { time }
      },
      peers: [
        Peer("without") {
          let workspace = try Workspace()
          let time = try await persistFromTask(stores.copyOfContainer(to: workspace))
          return withExtendedLifetime(workspace) { time }
        }
      ])
  }

  /// The same from a task.
  static var persistOneFromTask: Benchmark {
    let stores = FilledStores(Movie.self)
    return Benchmark(
      "one-object persist from a task", unit: "µs",
      ours: { try await persistFromTask(stores.container()) },
      peers: [
        Peer("GRDB async write, cached SQL", must: 1 / 0.95, goal: 1 / 0.7) {
          let store = try stores.grdb()
          let time = try await asyncMilliseconds {
            for index in 0..<count { try await store.changeOne(Int64(index + 1), votes: Int64(index)) }
          }
          return time * 1000 / Double(count)
        }
      ])
  }
}

@MainActor private func persistFromMain(_ context: ObjectContext, _ ids: [ObjectID<Movie>]) async throws -> Double {
  let begin = ContinuousClock.now
  for (index, id) in ids.enumerated() {
    try await context.persist { try $0.object(id).votes = Int64(index) }
  }
  let time = (ContinuousClock.now - begin) / .milliseconds(1)
  try await expectChanged(context, ids)
  return time
}

private func persistFromTask(_ container: PersistentContainer) async throws -> Double {
  let context = container.newContext()
  let ids = try await someIDs(context)
  let time = try await asyncMilliseconds {
    for (index, id) in ids.enumerated() {
      try await context.persist { try $0.object(id).votes = Int64(index) }
    }
  }
  try await expectChanged(context, ids)
  return time * 1000 / Double(count)
}

private func someIDs(_ context: ObjectContext) async throws -> [ObjectID<Movie>] {
  try await context.perform { try $0.fetchIDs(FetchDescriptor(Movie.self, limit: count)) }
}

private func expectChanged(_ context: ObjectContext, _ ids: [ObjectID<Movie>]) async throws {
  let last = try await context.perform { try $0.object(ids[ids.count - 1]).votes }
  guard last == Int64(ids.count - 1) else { throw WrongResult("\(last) votes") }
}
