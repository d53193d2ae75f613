import Foundation
import LarderTestSupport
import Persistence
import Testing

@Suite struct HistoryProcessTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private static let count = ProcessInfo.processInfo.environment["LARDER_LONG_TESTS"] == nil ? 200 : 2_000

  /// The followers compare the history, live results, objects in memory and fetched objects; the writers include this
  /// process, which follows too.
  @Test func `processes that write to one store converge, and history has every commit once`() async throws {
    let container = try await store.open(Left.self, Right.self, Counter.self) { configuration in
      configuration.pollInterval = .milliseconds(2)
    }
    let context = container.newContext()
    try await context.persist { _ = $0.insert(Counter.self) }
    let token = try await container.historyToken()
    let results = try await container.results(
      FetchDescriptor(Left.self, sort: [.ascending(\.number), .ascending(\.text)]))
    let total = Self.count * 4
    let followers = try (0..<2).map { _ in try ChildProcess.worker("follow", store.file.path, "\(total)") }
    var said: [[String]] = [[], []]
    for index in followers.indices {
      for await line in followers[index].lines {
        said[index].append(line)
        if line == "ready" { break }
      }
    }
    let writers = try (0..<3).map { try ChildProcess.worker("save", store.file.path, "\(Self.count)", "writer \($0)") }
    for number in 0..<Self.count {
      try await context.persist { objects in
        try #require(try objects.fetch(Counter.self).first).value += 1
        let left = objects.insert(Left.self)
        (left.number, left.text) = (number, "here")
      }
    }
    for writer in writers { #expect(await writer.exit() == .code(0)) }
    for index in followers.indices {
      for await line in followers[index].lines { said[index].append(line) }
      #expect(await followers[index].exit() == .code(0))
      #expect(said[index] == ["ready", "followed"])
    }
    for await update in results.updates where update.snapshot.count == total { break }
    let fetched = try await context.perform {
      try $0.fetchIDs(FetchDescriptor(Left.self, sort: [.ascending(\.number), .ascending(\.text)]))
    }
    #expect(results.snapshot.map { $0 } == fetched)
    guard case .changes(let sets, _) = try await container.changes(since: token) else { throw Stop() }
    #expect(sets.count == total)
    #expect(sets.flatMap { $0.inserted(Left.self) }.count == total)
    // Every commit increments the counter by one, so the sets are in commit order.
    let values = sets.flatMap { set in set.changes(of: Counter.self).compactMap { $0.values(of: \.value)?.new } }
    #expect(values == Array(1...total))
  }
}
