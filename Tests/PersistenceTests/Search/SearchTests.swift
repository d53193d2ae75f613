import Foundation
import Testing

@testable import Persistence

@Suite struct SearchTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  /// Articles with these titles and bodies, numbered from 0.
  private func container(_ texts: [(String, String?)]) async throws -> PersistentContainer {
    let container = try await store.open(Article.self, Author.self)
    try await container.newContext().persist { objects in
      for (number, text) in texts.enumerated() { _ = Article.insert(text.0, text.1, number, in: objects) }
    }
    return container
  }

  private func numbers(_ text: SearchText, in container: PersistentContainer) async throws -> [Int] {
    try await container.newContext().perform { objects in
      try objects.fetch(Article.self, where: { $0.matches(text) }).map(\.number)
    }
  }

  @Test func `words that people type find the texts that contain all of them`() async throws {
    let container = try await container([
      ("The quick brown fox", "jumps over the lazy dog"), ("Café Straße", nil), ("CAFE", "strasse and e-mail"),
      ("mail e", "Σίσυφος"), ("fox", "dog"), ("foxes 2024", ""), ("日本語 テキスト", "a\u{0}b nul"),
    ])
    let table: [(String, [Int])] = [
      ("fox dog", [0, 4]), ("dog FOX", [0, 4]), ("fox", [0, 4, 5]), ("fo", [0, 4, 5]), ("fo dog", []),
      ("café", [1, 2]), ("cafe strasse", [1, 2]), ("STRASSE", [1, 2]), ("straße", [1, 2]), ("σισυφοσ", [3]),
      ("\"quick brown\"", [0]), ("\"brown quick\"", []), ("\"quick bro\"", []), ("\"quick bro", [0]),
      ("“lazy dog”", [0]), ("e-mail", [2]), ("mail", [2, 3]), ("202", [5]), ("日本", [6]), ("nul b", [6]),
      ("quick,fox", []), ("quick, fox", [0]), ("", []), ("   ", []), ("?!", []), ("fox ?!", [0, 4, 5]),
    ]
    for (typed, expected) in table {
      #expect(try await numbers(SearchText(typed), in: container) == expected, "\(typed)")
      #expect(SearchText(typed).isEmpty == !typed.contains { $0.isLetter || $0.isNumber })
    }
    #expect(try await numbers(SearchText("fo", completesLastWord: false), in: container).isEmpty)
    #expect(try await numbers(SearchText("fox", completesLastWord: false), in: container) == [0, 4])
  }

  @Test func `no text that people type is an error`() async throws {
    let container = try await container([("a AND b", "NOT near")])
    let long = String(repeating: "word ", count: 5_000)
    let hostile = [
      "\"", "\"\"", "\"\"\"", "'", "a\"", "\"a", "a AND", "AND", "OR OR", "NOT", "NEAR(a b, 2)", "a*", "*", "* *", "^a",
      "title:a", "{title}:a", "-title:a", "a + b", "+", "(", ")", "(a", "a)", "a\u{0}b", "\u{0}", "👍", "👩‍👩‍👧 a", "❤️",
      "\u{FFFD}", "\u{202E}abc", "\\", "%", "_", ";--", "*reads", "\u{301}", "a\u{301}\"", long,
      String(long.reversed()),
      String(repeating: "\"", count: 10_001), String(repeating: "x", count: 50_000),
      String(repeating: "a.", count: 10_000),
    ]
    for typed in hostile {
      _ = try await numbers(SearchText(typed), in: container)
      _ = try await numbers(SearchText(typed, completesLastWord: false), in: container)
    }
    #expect(try await numbers(SearchText("a AND"), in: container) == [0])
    #expect(try await numbers(SearchText("not AND near"), in: container) == [0])
    #expect(try await numbers(SearchText("a*"), in: container) == [0])
  }

  @Test func `an expression has the syntax of FTS5, and an invalid one is an error`() async throws {
    let container = try await container([("Été rouge", "one two three"), ("rouge", "three and not two"), ("blue", nil)])
    let table: [(String, [Int])] = [
      ("rouge OR blue", [0, 1, 2]), ("rouge NOT ÉTÉ", [1]), ("title : ROUGE", [0, 1]), ("text : rouge", []),
      ("NEAR(one three, 2)", [0]), ("\"one two\"", [0]), ("thr*", [0, 1]), ("^été", [0]), ("one + two", [0]),
      ("(rouge AND two) OR bl*", [0, 1, 2]), ("\"NOT two\"", [1]),
    ]
    for (expression, expected) in table {
      #expect(try await numbers(SearchText(expression: expression), in: container) == expected, "\(expression)")
    }
    for expression in ["", "\"", "a AND", "nowhere : a", "NEAR(a b, c)", "*", "*reads", "a\u{0}b", ")", "rank : a"] {
      await #expect(throws: PersistenceError.self, "\(expression)") {
        do throws(PersistenceError) {
          _ = try await container.newContext().perform {
            try $0.count(Article.self) { $0.matches(SearchText(expression: expression)) }
          }
        } catch {
          guard case .unsupportedQuery(let refusal) = error else { throw Stop() }
          #expect(refusal.expression == "a search text" && !refusal.description.contains("nowhere"))
          throw error
        }
      }
    }
  }

  @Test func `a search combines with conditions, sorts, limits, counts and relationships`() async throws {
    let container = try await store.open(Article.self, Author.self)
    try await container.newContext().persist { objects in
      let (ann, bob) = (objects.insert(Author.self), objects.insert(Author.self))
      (ann.name, bob.name) = ("Ann Smith", "Bob")
      for number in 0..<20 {
        let article = Article.insert(number.isMultiple(of: 2) ? "even number" : "odd number", nil, number, in: objects)
        article.year = 2000 + number
        article.author = number < 10 ? ann : bob
      }
    }
    try await container.newContext().perform { objects in
      let (even, smith) = (SearchText("even"), SearchText("smith"))
      func numbers(_ request: FetchDescriptor<Article>) throws -> [Int] { try objects.fetch(request).map(\.number) }
      #expect(try numbers(FetchDescriptor(where: { $0.matches(even) && $0.year > 2014 })) == [16, 18])
      #expect(try numbers(FetchDescriptor(where: { !$0.matches(even) && $0.year > 2014 })) == [15, 17, 19])
      #expect(try numbers(FetchDescriptor(where: { $0.matches(even) || $0.year == 2019 })).count == 11)
      let sorted = FetchDescriptor<Article>(
        where: { $0.matches(even) }, sort: [.descending(\.year)], limit: 2, offset: 1)
      #expect(try numbers(sorted) == [16, 14])
      #expect(try objects.count(sorted) == 2)
      #expect(try objects.count(Article.self) { $0.matches(even) } == 10)
      #expect(try objects.exists(Article.self) { $0.title.matches(even) })
      #expect(try !objects.exists(Article.self) { $0.body.matches(even) })
      #expect(
        try numbers(FetchDescriptor(where: { $0.author.name.matches(smith) && $0.matches(even) })) == [0, 2, 4, 6, 8])
      #expect(
        try objects.fetch(Author.self) { $0.articles.contains { $0.matches(even) && $0.year == 2012 } }.map(\.name) == [
          "Bob"
        ])
      let request = FetchDescriptor<Article>(searching: even, where: { $0.year < 2003 })
      #expect(try numbers(request) == [0, 2])
      #expect(try objects.count(request) == 2)
      #expect(try objects.values(in: request) { $0.rank(for: even) }.allSatisfy { ($0 ?? 1) < 0 })
      #expect(try objects.fetch(request, with: { ($0.title, $0.rank(for: even)) }).count == 2)
      var batches: [Int] = []
      try objects.forEach(request) { batches.append($0.number) }
      #expect(batches == [0, 2])
      #expect(objects.relationshipFetches.isEmpty)
    }
  }

  @Test func `the best match comes first, by the weights of the attributes`() async throws {
    let container = try await container([
      ("other words here", "apple"), ("apple", "other words here"), ("apple apple", "apple"), ("none", nil),
    ])
    try await container.newContext().perform { objects in
      let apple = SearchText("apple")
      func order(_ title: Double, _ body: Double) throws -> [Int] {
        let weights = [SearchWeight<Article>(\.title, title), SearchWeight(\.body, body)]
        return try objects.search(Article.self, apple, weights: weights).map(\.number)
      }
      #expect(try order(10, 1) == [2, 1, 0])
      #expect(try order(1, 10) == [2, 0, 1])
      #expect(try objects.search(Article.self, "apple", limit: 1).map(\.number) == [2])
      #expect(try objects.fetch(Article.self, sort: [.bestMatch(for: apple)]).last?.number == 3)
      let ranks = try objects.values(in: FetchDescriptor(Article.self, searching: apple)) { $0.rank(for: apple) }
      #expect(ranks.compactMap { $0 } == ranks.compactMap { $0 }.sorted() && ranks.count == 3)
    }
  }

  @Test func `what cannot be searched is refused before anything is fetched`() async throws {
    let container = try await container([("a", nil)])
    let text = SearchText("a")
    try await container.newContext().perform { objects in
      func refuses(_ body: () throws(PersistenceError) -> Void) -> Bool {
        do { try body(); return false } catch {
          if case .unsupportedQuery = error { return true } else { return false }
        }
      }
      #expect(refuses { () throws(PersistenceError) in _ = try objects.count(Article.self) { $0.rank(for: text) < 0 } })
      #expect(
        refuses { () throws(PersistenceError) in
          _ = try objects.search(Article.self, text, weights: [SearchWeight(\.title, .nan)])
        })
      #expect(
        refuses { () throws(PersistenceError) in
          let article = try objects.fetch(Article.self)[0]
          _ = try Query<Article> { $0.matches(text) }.matches(article)
        })
    }
    let plain = try await PersistentContainer(at: .inMemory, schema: Schema(Film.self, Director.self))
    await #expect(throws: PersistenceError.self) {
      try await plain.newContext().perform { try $0.search(Film.self, "a").count }
    }
    await #expect(throws: PersistenceError.self) {
      try await plain.newContext().perform { try $0.count(Film.self) { $0.title.matches(text) } }
    }
  }

  @Test func `a search includes unsaved changes at once, and a rollback leaves no trace`() async throws {
    let container = try await container([("old words", nil), ("second", nil)])
    let context = container.newContext()
    @Sendable func count(_ typed: String, _ objects: ObjectSpace) throws -> Int {
      try objects.count(Article.self) { $0.matches(SearchText(typed)) }
    }
    await #expect(throws: PersistenceError.self) {
      try await context.persist { objects in
        let article = try objects.fetch(Article.self)[0]
        article.title = "new words"
        #expect(try count("new", objects) == 1)
        #expect(try count("old", objects) == 0)
        article.title = "newer words"
        #expect(try objects.search(Article.self, "newer").count == 1)
        #expect(try objects.highlights(of: SearchText("newer"), in: article, \.title).ranges.count == 1)
        _ = Article.insert("inserted", nil, 7, in: objects)
        #expect(
          try objects.values(in: FetchDescriptor(Article.self, searching: SearchText("insert"))) { $0.number } == [7])
        objects.delete(article)
        var found: [Int] = []
        try objects.forEach(FetchDescriptor(Article.self, where: { $0.matches(SearchText("words")) })) {
          found.append($0.number)
        }
        #expect(found.isEmpty)
        #expect(
          try objects.update(
            Article.self, where: { $0.matches(SearchText("second")) }, set: [.set(\.title, to: "bulk")]) == 1)
        #expect(try count("bulk", objects) == 1)
        #expect(try count("second", objects) == 0)
        #expect(try objects.delete(Article.self) { $0.matches(SearchText("bulk")) } == 1)
        #expect(try count("bulk", objects) == 0)
        throw Stop()
      }
    }
    let counts = try await context.perform { objects in
      try ["new", "insert", "bulk", "old", "second"].map { try count($0, objects) }
    }
    #expect(counts == [0, 0, 0, 1, 1])
    // Pending changes of a read are rolled back after it, and are found again by the next one
    for _ in 0..<2 {
      try await MainActor.run {
        let view = container.viewContext
        if !view.hasChanges { _ = Article.insert("pending", nil, 50, in: try view.objects) }
        #expect(try view.count(Article.self) { $0.matches(SearchText("pending")) } == 1)
        #expect(try view.objects.search(Article.self, "pending").count == 1)
      }
      #expect(try await container.newContext().perform { try count("pending", $0) } == 0)
    }
    try await MainActor.run { try container.viewContext.save() }
    #expect(try await container.newContext().perform { try count("pending", $0) } == 1)
    #expect(try await container.integrityCheck().isIntact)
  }

  @Test func `values that swap between unique searchable attributes are found`() async throws {
    let container = try await store.open(Article.self, Author.self)
    let context = container.newContext()
    try await context.persist { objects in
      for name in ["Ann", "Bob"] { objects.insert(Author.self).name = name }
    }
    try await context.persist { objects in
      let authors = try objects.fetch(Author.self, sort: \.name)
      (authors[0].name, authors[1].name) = ("Bob", "Ann")
      _ = try objects.search(Author.self, "ann")
    }
    let ids = try await context.perform { objects in try objects.search(Author.self, "ann").map(\.id.rawValue) }
    #expect(ids == [2])
    #expect(try await container.integrityCheck().isIntact)
    // Cascades reach the index of the other class
    try await context.persist { objects in
      let article = Article.insert("gone", nil, 1, in: objects)
      article.author = try objects.search(Author.self, "ann")[0]
    }
    try await context.persist { objects in _ = try objects.delete(Author.self) { $0.matches(SearchText("ann")) } }
    #expect(try await context.perform { try $0.search(Article.self, "gone").count } == 0)
    #expect(try await container.integrityCheck().isIntact)
  }

  @Test func `live results of a search follow commits`() async throws {
    let container = try await container([("fox one", nil), ("dog", nil)])
    let context = container.newContext()
    let fox = SearchText("fox")
    let plain = FetchDescriptor<Article>(where: { $0.matches(fox) }, sort: [.ascending(\.number)])
    let ranked = FetchDescriptor<Article>(searching: fox)
    let updates = try await context.perform { objects in
      [try objects.explainSQL(plain).liveUpdates, try objects.explainSQL(ranked).liveUpdates]
    }
    #expect(updates == [.readingChangedRows, .readingAllRows])
    let followers: [any AnyFollower] = [
      Follower(try await ResultsFollower(container, plain)), Follower(try await ResultsFollower(container, ranked)),
    ]
    func check(_ comment: Comment) async throws {
      await container.settle()
      for follower in followers { try await follower.check(context, comment) }
    }
    try await check("first")
    try await context.persist { try $0.fetch(Article.self)[1].title = "fox fox fox" }
    try await check("a match appears")
    try await context.persist { try $0.fetch(Article.self)[0].body = "a very long text that makes this worse" }
    try await check("ranks change")
    try await context.persist { _ = Article.insert("foxes", "fox", 9, in: $0) }
    try await check("an insertion")
    try await context.persist {
      _ = try $0.update(Article.self, where: { $0.number == 0 }, set: [.set(\.title, to: "x")])
    }
    try await check("a match disappears")
    try await context.persist { _ = try $0.delete(Article.self) { $0.matches(fox) } }
    try await check("a deletion")
  }
}
