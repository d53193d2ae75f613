import Foundation
import Testing

@testable import Persistence

/// Resources that grow over a long run must be bounded.
@Suite struct ResourceGrowthTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private static let rounds = ProcessInfo.processInfo.environment["LARDER_LONG_TESTS"] == nil ? 1_500 : 100_000

  private func size(_ suffix: String) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: store.file.path + suffix)[.size] as? Int ?? 0
  }

  @Test func `many commits leave memory, log and file bounded`() async throws {
    let container = try await store.open(Film.self, Director.self) { configuration in
      configuration.statementCacheCapacity = 16
      configuration.history = .kept(bytes: 20_000)
      configuration.pollInterval = .milliseconds(1)
    }
    let (writer, reader) = (container.newContext(), container.newContext())
    await writer.setUndoLimit(10)
    var largest = (log: 0, file: 0)
    for round in 0..<Self.rounds {
      try await writer.persist { objects in
        let film = objects.insert(Film.self)
        (film.title, film.year) = (String(repeating: "x", count: 500), round)
        if let old = try objects.fetch(Film.self, where: { $0.year == round - 20 }).first { objects.delete(old) }
        for film in try objects.fetch(Film.self, where: { $0.year > round - 3 - round % 20 }) { film.title += "y" }
      }
      _ = try await reader.perform { try $0.fetch(Film.self).count }
      if round % 50 == 0 {
        // Follows the commits for a while
        let results = try await container.results(FetchDescriptor(Film.self, sort: [.ascending(\.year)]))
        var commits = container.commits.makeAsyncIterator()
        let context = container.newContext()
        try await context.persist { try $0.fetch(Film.self).first?.title = "" }
        _ = await commits.next()
        #expect(results.snapshot.count <= 21)
      }
      if round > Self.rounds / 10 { largest = (max(largest.log, try size("-wal")), max(largest.file, try size(""))) }
    }
    // Every object that no one holds is released; statements are bounded.
    for context in [writer, reader] {
      try await context.perform { objects in
        #expect(objects.registries.allSatisfy { $0.map.isEmpty && $0.changes.overwrites.capacity < 10_000 })
        #expect(objects.cachedStatements <= 16 && !objects.hasChanges && objects.loaded.entries.isEmpty)
        #expect(objects.undoHistory?.done.count ?? 0 <= 10)
      }
    }
    // A checkpoint runs every thousand pages; a reader may delay it a little.
    #expect(largest.log < 16 << 20 && largest.file < 1 << 20, "\(largest)")
    await writer.reset()
    await reader.reset()
    // No one follows the commits any more.
    #expect(container.store.access.commits.interest(besides: nil) == nil)
  }

  @Test func `listeners, contexts and containers without references are deallocated`() async throws {
    weak var gone: Store?
    for _ in 0..<50 {
      let container = try await store.open(Film.self, Director.self)
      gone = container.store
      var contexts: [ObjectContext] = []
      for _ in 0..<10 {
        let context = container.newContext()
        try await context.persist { _ = $0.insert(Film.self) }
        contexts.append(context)
      }
      let results = try await container.results(FetchDescriptor(Film.self))
      let commits = container.commits
      #expect(!results.snapshot.isEmpty)
      #expect(container.store.access.commits.interest(besides: nil) != nil)
      withExtendedLifetime((contexts, commits)) {}
      await container.close()
    }
    #expect(gone == nil)
  }
}
