import BenchmarkSupport
import GRDBPeer
import Persistence
import PersistenceModel
import Synchronization

private let readers = 4
private let reads = 1_500
private let commits = 1_500

extension Benchmark {
  /// Four readers, each with a context that it keeps, look up one object after the other while a writer commits one
  /// change after the other: what a read takes, and what a commit takes.
  static var readersAndWriter: [Benchmark] {
    let stores = FilledStores(UniqueMovie.self, isUnique: true)
    let remoteIDs = SampleMovies.scattered(reads)
    return [
      Benchmark(
        "a read, four readers beside a writer", unit: "µs",
        ours: { try await Crowd(ours: stores.container()).timeOfRead(remoteIDs) },
        peers: [
          Peer("GRDB pool", must: 1, goal: 1.5) { try await Crowd(grdb: stores.grdb()).timeOfRead(remoteIDs) }
        ]),
      Benchmark(
        "a commit, one writer beside four readers", unit: "µs",
        ours: { try await Crowd(ours: stores.container()).timeOfCommit(remoteIDs) },
        peers: [
          Peer("GRDB pool", must: 1, goal: 1.5) { try await Crowd(grdb: stores.grdb()).timeOfCommit(remoteIDs) }
        ]),
    ]
  }
}

/// Readers and a writer of one contender, of which one kind goes on until the other has done its work.
private final class Crowd: Sendable {
  private let read: @Sendable (Int, Int64) async throws -> Bool
  private let commit: @Sendable (Int) async throws -> Void
  private let isOver = Atomic(false)

  init(ours container: PersistentContainer) async throws {
    let contexts = (0..<readers).map { _ in container.newContext() }
    let writer = container.newContext()
    let ids = try await writer.perform { try $0.fetchIDs(FetchDescriptor(UniqueMovie.self, limit: commits)) }
    read = { reader, remoteID in
      try await contexts[reader].perform { try $0.first(UniqueMovie.self, where: { $0.remoteID == remoteID }) != nil }
    }
    commit = { number in
      try await writer.persist { try $0.object(ids[number % ids.count]).votes = Int64(number) }
    }
  }

  init(grdb store: GRDBStore) {
    read = { _, remoteID in try await store.findOne(remoteID) }
    commit = { number in try await store.changeOne(Int64(number % commits + 1), votes: Int64(number)) }
  }

  func timeOfRead(_ remoteIDs: [Int64]) async throws -> Double {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { [self] in
        var number = 0
        while !isOver.load(ordering: .relaxed) {
          number += 1
          try await commit(number)
        }
      }
      let time = try await asyncMilliseconds {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for reader in 0..<readers {
            group.addTask { [self] in
              for remoteID in remoteIDs where try await !read(reader, remoteID) { throw WrongResult("not found") }
            }
          }
          try await group.waitForAll()
        }
      }
      isOver.store(true, ordering: .relaxed)
      try await group.waitForAll()
      return time * 1000 / Double(remoteIDs.count * readers)
    }
  }

  func timeOfCommit(_ remoteIDs: [Int64]) async throws -> Double {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for reader in 0..<readers {
        group.addTask { [self] in
          while !isOver.load(ordering: .relaxed) {
            for remoteID in remoteIDs where !isOver.load(ordering: .relaxed) {
              if try await !read(reader, remoteID) { throw WrongResult("not found") }
            }
          }
        }
      }
      let time = try await asyncMilliseconds { for number in 0..<commits { try await commit(number) } }
      isOver.store(true, ordering: .relaxed)
      try await group.waitForAll()
      return time * 1000 / Double(commits)
    }
  }
}
