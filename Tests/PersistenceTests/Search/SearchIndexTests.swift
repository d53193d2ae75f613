import Foundation
import LarderTestSupport
import Testing

@testable import Persistence

/// What a random test knows about an article.
private struct Texts: Sendable, Equatable {
  var number: Int
  var title: String
  var body: String?
}

/// What keeps the full-text index right within a program.
@Suite struct SearchIndexTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private static let vocabulary = [
    "alpha", "beta", "Gämma", "straße", "STRASSE", "élan", "ELAN", "alphabet", "be", "ta", "42", "ß", "Σίσυφος", "日本",
  ]

  private static func text(_ random: inout SplitMix) -> String {
    (0..<Int.random(in: 0...6, using: &random)).map { _ in
      vocabulary.randomElement(using: &random)! + [" ", ", ", "-", "\n", "\u{0}", "👍"].randomElement(using: &random)!
    }.joined()
  }

  /// The words of a text, found without SQLite.
  private static func words(_ text: String) -> [String] {
    TextFolding.fold(text).split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  private static func matches(_ typed: [String], _ texts: Texts) -> Bool {
    let columns = [words(texts.title), words(texts.body ?? "")]
    return typed.enumerated().allSatisfy { index, word in
      let word = TextFolding.fold(word)
      return columns.joined().contains { index == typed.count - 1 ? $0.hasPrefix(word) : $0 == word }
    }
  }

  private static func check(
    _ expected: [Int: Texts], _ queries: [[String]], _ objects: ObjectSpace, _ comment: Comment
  ) throws {
    for query in queries {
      let text = SearchText(query.joined(separator: " "))
      let found = try objects.fetch(Article.self, where: { $0.matches(text) }).map(\.number).sorted()
      let right = expected.values.filter { matches(query, $0) }.map(\.number).sorted()
      #expect(found == right, "\(comment): \(query)")
    }
  }

  /// Makes a random change to the objects and to the model.
  private static func change(
    _ model: inout [Int: Texts], _ next: inout Int, _ objects: ObjectSpace, _ random: inout SplitMix
  ) throws {
    let number = model.keys.sorted().randomElement(using: &random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1:
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        model[next] = Texts(number: next, title: text(&random), body: Bool.random(using: &random) ? text(&random) : nil)
        _ = Article.insert(model[next]!.title, model[next]!.body, next, in: objects)
        next += 1
      }
    case 2, 3:
      guard let number, let article = try objects.first(Article.self, where: { $0.number == number }) else { return }
      article.title = text(&random)
      if Bool.random(using: &random) { article.body = nil }
      model[number] = Texts(number: number, title: article.title, body: article.body)
    case 4:
      guard let number, let article = try objects.first(Article.self, where: { $0.number == number }) else { return }
      objects.delete(article)
      model[number] = nil
    case 5:
      let (limit, title) = (number ?? 0, text(&random))
      try objects.update(Article.self, where: { $0.number < limit }, set: [.set(\.title, to: title)])
      for key in model.keys where key < limit { model[key]?.title = title }
    case 6:
      guard let number else { return }
      let lower = number
      try objects.delete(Article.self) { $0.number >= lower && $0.number < lower + 3 }
      for key in lower..<lower + 3 { model[key] = nil }
    default:
      let rows = (0..<Int.random(in: 1...40, using: &random)).map { index in
        Texts(number: max(0, next - 10) + index, title: text(&random), body: text(&random))
      }
      try objects.import(
        rows, into: Article.self, matching: \.number,
        [.set(\.number) { $0.number }, .set(\.title) { $0.title }, .set(\.body) { $0.body }])
      for row in rows { model[row.number] = row }
      next = max(next, rows[rows.count - 1].number + 1)
    }
  }

  private struct Run: Sendable {
    var model: [Int: Texts] = [:]
    var next = 0
    var random: SplitMix
  }

  @Test func `a search finds what a comparison of words finds, after any changes`() async throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    let container = try await store.open(Article.self, Author.self)
    let contexts = [container.newContext(), container.newContext()]
    var run = Run(random: SplitMix(seed: seed))
    for step in 0..<60 {
      let isRolledBack = Int.random(in: 0..<4, using: &run.random) == 0
      let queries = (0..<4).map { _ in
        (0..<Int.random(in: 1...3, using: &run.random)).map { _ in Self.vocabulary.randomElement(using: &run.random)! }
      }
      do {
        run = try await contexts[step % 2].persist { [run] objects in
          var run = run
          for _ in 0..<Int.random(in: 1...3, using: &run.random) {
            try Self.change(&run.model, &run.next, objects, &run.random)
            // Before the commit, and only sometimes, so that several changes meet in one update of the index
            if Bool.random(using: &run.random) {
              try Self.check(run.model, queries, objects, "seed \(seed), unsaved in step \(step)")
            }
          }
          if isRolledBack { throw Stop() }
          return run
        }
      } catch {
        // The model keeps its state from before, too.
        guard isRolledBack, case .body = error else { throw error }
      }
      try await contexts[(step + 1) % 2].perform { [run] objects in
        #expect(try objects.count(Article.self) == run.model.count, "seed \(seed)")
        try Self.check(run.model, queries, objects, "seed \(seed), saved in step \(step)")
      }
    }
    #expect(try await container.integrityCheck().isIntact, "seed \(seed)")
    try await container.compact()
    try await container.rebuildSearchIndexes()
    try await contexts[0].perform { [run] objects in
      try Self.check(run.model, [["alpha"], ["strasse", "be"]], objects, "seed \(seed), rebuilt")
    }
    #expect(try await container.integrityCheck().isIntact, "seed \(seed)")
  }

  @Test func `a select reads the full-text index`() async throws {
    let container = try await store.open(Article.self, Author.self)
    try await container.newContext().persist { objects in
      let article = Article.insert("unsaved", nil, 3, in: objects)
      let ids = try objects.select(
        "SELECT rowid FROM _larder_Article_search WHERE _larder_Article_search MATCH \("unsaved")", as: Int64.self)
      #expect(ids == [article.id.rawValue])
    }
  }

  @Test func `only searches and the commit index the texts of unsaved changes`() async throws {
    let container = try await store.open(Article.self, Author.self)
    let context = container.newContext()
    try await context.persist { objects in
      func unindexed() throws -> Bool { try objects.connection.hasUnindexedTexts(of: objects.store.searchTables) }
      let words = FetchDescriptor<Article>(where: { $0.matches(SearchText("words")) })
      let ranked = FetchDescriptor<Article>(Article.self, sort: [.bestMatch(for: SearchText("words"))])
      let article = Article.insert("words 0", nil, 1, in: objects)
      let searches: [() throws -> Void] = [
        { _ = try objects.fetch(words) }, { _ = try objects.count(words) }, { _ = try objects.fetch(ranked) },
        { _ = try objects.values(in: FetchDescriptor(Article.self)) { $0.rank(for: SearchText("words")) } },
        { _ = try objects.highlights(of: SearchText("words"), in: article, \.title) },
        { _ = try objects.select("SELECT count(*) FROM _larder_Article_search", as: Int.self) },
        { try objects.forEach(words) { _ in } },
        {
          _ = try objects.update(Article.self, matching: .none, set: [.set(\.year, to: 1)]);
          _ = try objects.fetch(words)
        },
        { _ = try objects.fetch(Author.self) { $0.articles.contains { $0.matches(SearchText("words")) } } },
      ]
      for (number, search) in searches.enumerated() {
        article.title = "words \(number + 1)"
        _ = try objects.fetch(Article.self) { $0.title == "words" }
        _ = try objects.select("SELECT count(*) FROM Article", as: Int.self)
        #expect(try unindexed(), "query \(number)")
        try search()
        #expect(try !unindexed(), "search \(number)")
      }
      article.title = "last words"
      _ = try objects.count(Article.self)
      #expect(try unindexed())
    }
    let isUnindexed = try await context.perform { try $0.connection.hasUnindexedTexts(of: $0.store.searchTables) }
    #expect(!isUnindexed)
    #expect(try await context.perform { try $0.search(Article.self, "last").count } == 1)
  }

  @Test func `texts changed after a suspension are found`() async throws {
    let container = try await store.open(Article.self, Author.self)
    let context = container.newContext()
    try await context.persist { _ = Article.insert("before", nil, 1, in: $0) }
    await container.suspend()
    await container.resume()
    try await context.persist { _ = Article.insert("after", nil, 2, in: $0) }
    let found = try await context.perform { objects in
      try objects.fetch(Article.self, where: { $0.matches(SearchText("after")) }).map(\.number)
    }
    #expect(found == [2])
  }

  @Test func `an import that has a key twice indexes the last text`() async throws {
    let container = try await store.open(Article.self, Author.self)
    let context = container.newContext()
    let rows = (0..<40).map { (number: $0 % 3, title: "text\($0)") }
    _ = try await context.persist { objects in
      try objects.import(
        rows, into: Article.self, matching: \.number, [.set(\.number) { $0.number }, .set(\.title) { $0.title }])
    }
    for (word, expected) in [("text39", [0]), ("text37", [1]), ("text38", [2]), ("text36", []), ("text0", [])] {
      let found = try await context.perform { try $0.search(Article.self, word).map(\.number) }
      #expect(found == expected, "\(word)")
    }
    #expect(try await container.integrityCheck().isIntact)
  }

  @Test func `signs and emoji that SQLite does not know separate words`() async throws {
    let container = try await store.open(Article.self, Author.self)
    let text = "party🥳time costs 5₽ \u{61C}here"
    try await container.newContext().persist { _ = Article.insert(text, nil, 1, in: $0) }
    try await container.newContext().perform { objects in
      for typed in ["party time", "party🥳", "5₽", "5 her", "\"party time\"", "time costs"] {
        let found = try objects.search(Article.self, typed)
        #expect(found.count == 1, "\(typed)")
      }
      let search = SearchText("time")
      let article = try #require(try objects.search(Article.self, search).first)
      let highlighted = try objects.highlights(of: search, in: article, \.title)
      #expect(highlighted.ranges.map { String(text[$0]) } == ["time"])
      #expect(try objects.search(Article.self, SearchText(expression: "party AND \"🥳time\"")).count == 1)
    }
  }

}
