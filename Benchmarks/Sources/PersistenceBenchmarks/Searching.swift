import BenchmarkSupport
import Persistence
import PersistenceModel
import RawSQLite

private let million = 1_000_000
private let inserted = 100_000
private let best = 50

extension Benchmark {
  /// Full-text search, and what it adds to an insertion.
  static var searching: [Benchmark] { [searchTwoWords, insertSearchable] }

  /// The best 50 of about 10 000 texts with both words.
  private static var searchTwoWords: Benchmark {
    let stores = ArticleStores()
    return Benchmark(
      "search of two words in 1 000 000 texts, best 50", unit: "ms",
      ours: {
        let context = try await stores.container().newContext()
        return try await context.perform { objects in
          var found: [Article] = []
          let time = try milliseconds {
            found = try objects.search(Article.self, SearchText("word1 word2", completesLastWord: false), limit: best)
          }
          try expect(found.count)
          return time
        }
      },
      peers: [
        Peer("raw FTS5", must: 0.75, goal: 0.9) {
          let store = try stores.raw()
          var found: [String] = []
          let time = try milliseconds { found = try store.search("word1 AND word2", limit: best) }
          try expect(found.count)
          return time
        }
      ])
  }

  /// Objects with a searchable text, created and saved.
  private static var insertSearchable: Benchmark {
    Benchmark(
      "insert 100 000 objects with a searchable text", unit: "ms",
      ours: {
        let workspace = try Workspace()
        let context = try await ArticleStores.container(workspace).newContext()
        return try await withWorkspace(workspace) {
          try await asyncMilliseconds { try await ArticleStores.insert(0..<inserted, into: context) }
        }
      },
      peers: [
        Peer("raw insert and FTS5 insert", must: 0.75, goal: 0.9) { try await raw(isSearchable: true) },
        Peer("raw insert without a search", must: 1 / 40.0, goal: 1 / 20.0) { try await raw(isSearchable: false) },
      ])
  }

  private static func raw(isSearchable: Bool) async throws -> Double {
    let workspace = try Workspace()
    let store = try RawStore(path: workspace.path("raw.db"))
    try store.createArticles()
    return try await withWorkspace(workspace) {
      try milliseconds {
        try store.insertArticles(0..<inserted, isSearchable: isSearchable, ArticleStores.text)
      }
    }
  }
}

/// A store of ours and a raw one with the same million texts, filled at first use and kept for all rounds.
private final class ArticleStores {
  private let home = KeptWorkspace()
  private var filledContainer: PersistentContainer?
  private var filledRaw: RawStore?

  func container() async throws -> PersistentContainer {
    if let filledContainer { return filledContainer }
    let container = try await Self.container(home.workspace())
    let context = container.newContext()
    for start in stride(from: 0, to: million, by: inserted) {
      try await Self.insert(start..<start + inserted, into: context)
    }
    filledContainer = container
    return container
  }

  func raw() throws -> RawStore {
    if let filledRaw { return filledRaw }
    let store = try RawStore(path: home.workspace().path("raw.db"))
    try store.createArticles()
    try store.insertArticles(0..<million, Self.text)
    filledRaw = store
    return store
  }

  static func container(_ workspace: Workspace) async throws -> PersistentContainer {
    try await PersistentContainer(at: .file(workspace.url("ours.store")), schema: Schema(Article.self))
  }

  static func insert(_ numbers: Range<Int>, into context: ObjectContext) async throws {
    try await context.persist { objects in
      for number in numbers { objects.insert(Article.self).text = ArticleStores.text(number) }
    }
  }

  /// Eleven words. Each of 45 frequent ones is in about a tenth of the texts, and two of them together in a hundredth.
  static func text(_ number: Int) -> String {
    var state = UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15 | 1
    var text = "Text \(number)"
    for _ in 0..<9 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      // One in two is frequent.
      let word = state >> 63 == 0 ? (state >> 33) % 45 : (state >> 33) % 20_000
      text += " word\(word)"
    }
    return text
  }
}

private func expect(_ count: Int) throws {
  guard count == best else { throw WrongResult("\(count) texts of \(best)") }
}
