import Foundation
import Testing

@testable import Persistence

/// The SQL of searches.
@Suite struct SearchPlanTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  @Test func `a rank of members is refused`() async throws {
    let container = try await store.open(Article.self, Author.self)
    try await container.newContext().perform { objects in
      let request = FetchDescriptor(
        Author.self, sort: [.ascending { $0.articles.maximum { $0.rank(for: SearchText("a")) } }])
      do {
        _ = try objects.fetch(request)
        Issue.record("the rank was calculated")
      } catch {
        guard case .unsupportedQuery = error as? PersistenceError else { throw error }
      }
    }
  }

  /// The SQL of a request and one of its terms, and how often it evaluates a search.
  private func sql<Value: QueryValue>(
    _ request: FetchDescriptor<Article>, _ objects: ObjectSpace, isOrdered: Bool = true,
    of term: (Row<Article>) -> Term<Article, Value>
  ) throws -> (text: String, searches: Int) {
    let term = SelectedTerm.one(term)
    let text = try FetchText(request, objects.registry(of: Article.self).entity)
    var generator = text.generator
    let column = try generator.columns([term])[0]
    let sql = "SELECT \(column)" + (isOrdered ? text.ordered(0, for: generator) : text.unordered(0, for: generator))
    // Whether SQLite accepts it
    _ = try objects.connection.prepare(sql)
    return (sql, sql.ranges(of: "MATCH").count)
  }

  @Test func `a condition, a sort and a selected rank share one evaluation of their text`() async throws {
    let container = try await store.open(Article.self, Author.self)
    try await container.newContext().perform { objects in
      let (fox, dog) = (SearchText("fox"), SearchText("dog"))
      let weights = [SearchWeight<Article>(\.title, 10)]
      let shared: [FetchDescriptor<Article>] = [
        FetchDescriptor(searching: fox), FetchDescriptor(searching: fox, limit: 5),
        FetchDescriptor(searching: fox, where: { $0.year > 1990 && $0.author.name == "Ann" }, limit: 5, offset: 2),
        FetchDescriptor(
          where: { $0.year > 1990 && $0.matches(fox) }, sort: [.ascending(\.year), .bestMatch(for: fox)]),
        FetchDescriptor(where: { $0.matches(fox) }, sort: [.descending { $0.rank(for: fox) }], limit: 3),
        FetchDescriptor(where: { $0.matches(fox) }),
      ]
      for (number, request) in shared.enumerated() {
        let plan = try objects.explainSQL(request).plan
        #expect(plan.count { $0.contains("VIRTUAL TABLE") } == 1, "request \(number): \(plan)")
        let (sql, searches) = try sql(request, objects) { $0.rank(for: fox) }
        #expect(searches == 1, "request \(number): \(sql)")
      }
      let weighted = FetchDescriptor<Article>(searching: fox, weights: weights, limit: 5)
      #expect(try sql(weighted, objects) { $0.rank(for: fox, weights: weights) }.searches == 1)
      // The condition and the sort share one. Other weights and texts need another.
      #expect(try sql(weighted, objects) { $0.rank(for: fox) }.searches == 2)
      #expect(try sql(weighted, objects) { $0.rank(for: dog) }.searches == 2)
      #expect(try sql(FetchDescriptor(where: { $0.matches(fox) }), objects) { $0.rank(for: dog) }.searches == 2)
      let both = FetchDescriptor<Article>(where: { $0.matches(fox) && $0.matches(dog) }, sort: [.bestMatch(for: dog)])
      #expect(try sql(both, objects) { $0.rank(for: dog) }.searches == 2)
      // One attribute is another search than all of them
      let title = FetchDescriptor<Article>(where: { $0.title.matches(fox) }, sort: [.bestMatch(for: fox)])
      #expect(try sql(title, objects) { $0.rank(for: fox) }.searches == 2)
      #expect(try sql(shared[0], objects, isOrdered: false) { $0.rank(for: fox) }.searches == 1)
    }
  }

  @Test func `only the objects within a limit are read if nothing but the search decides`() async throws {
    let container = try await store.open(Article.self, Author.self)
    try await container.newContext().perform { objects in
      let fox = SearchText("fox")
      let limited = try objects.explainSQL(FetchDescriptor<Article>(searching: fox, limit: 5)).sql
      #expect(limited.contains(",1 LIMIT ?3 OFFSET ?4) AS t1 CROSS JOIN"))
      let filtered = FetchDescriptor<Article>(searching: fox, where: { $0.year > 1990 }, limit: 5)
      #expect(try objects.explainSQL(filtered).sql.hasSuffix("LIMIT ?4 OFFSET ?5"))
    }
  }

  @Test func `a kept plan is used only for texts that are equal in the same places`() async throws {
    let container = try await store.open(Article.self, Author.self)
    let context = container.newContext()
    try await context.persist { objects in
      for (number, title) in ["fox", "fox fox", "dog fox", "dog", "dog dog fox x"].enumerated() {
        _ = Article.insert(title, nil, number, in: objects)
      }
    }
    try await context.perform { objects in
      func numbers(_ text: String, by rank: String, limit: Int? = nil) throws -> [Int] {
        let request = FetchDescriptor<Article>(
          where: { $0.matches(SearchText(text)) }, sort: [.bestMatch(for: SearchText(rank))], limit: limit)
        return try objects.fetch(request).map(\.number)
      }
      func ranks(_ text: String, _ other: String) throws -> [Bool] {
        let request = FetchDescriptor<Article>(searching: SearchText(text))
        return try objects.values(in: request) { $0.rank(for: SearchText(other)) }.map { $0 != nil }
      }
      for _ in 0..<2 {
        let all = try numbers("fox", by: "fox")
        #expect(Set(all) == [0, 1, 2, 4])
        // Those without a rank come last, in order of creation
        #expect(try numbers("fox", by: "dog").suffix(2) == [0, 1])
        #expect(try numbers("dog", by: "dog").count == 3)
        #expect(try numbers("fox", by: "fox", limit: 10).count == 4)
        #expect(try numbers("dog", by: "fox", limit: 10).last == 3)
        #expect(try ranks("fox", "fox") == [true, true, true, true])
        #expect(try ranks("fox", "dog").count { $0 } == 2)
        #expect(try ranks("dog", "dog") == [true, true, true])
      }
    }
  }

  @Test func `groups can use ranks, with and without a limit`() async throws {
    let container = try await store.open(Article.self, Author.self)
    try await container.newContext().persist { objects in
      for number in 0..<6 { _ = Article.insert(number < 3 ? "fox" : "fox fox", nil, number, in: objects) }
      let fox = SearchText("fox")
      for limit in [nil, 4] {
        let request = FetchDescriptor<Article>(searching: fox, limit: limit)
        let groups = try objects.groups(in: request, by: { $0.rank(for: fox) }, of: { $0.count })
        #expect(groups.map(\.value) == (limit == nil ? [3, 3] : [3, 1]))
        #expect(groups.allSatisfy { $0.key.map { $0 < 0 } ?? false })
        #expect(try objects.groups(in: request, by: { $0.title }, of: { $0.count }).count == 2)
        #expect(try objects.count(request) == limit ?? 6)
        #expect(try objects.exists(request))
        #expect(try objects.fetchIDs(request).count == limit ?? 6)
      }
    }
  }

  @Test func `more ranks than SQLite can join are refused`() async throws {
    let container = try await store.open(Article.self, Author.self)
    try await container.newContext().persist { objects in
      _ = Article.insert("word1", nil, 1, in: objects)
      func request(_ count: Int) -> FetchDescriptor<Article> {
        FetchDescriptor(Article.self, sort: (0..<count).map { .bestMatch(for: SearchText("word\($0)")) })
      }
      #expect(try objects.fetch(request(32)).count == 1)
      do throws(PersistenceError) {
        _ = try objects.fetch(request(33))
        Issue.record("the ranks were joined")
      } catch {
        guard case .unsupportedQuery(let refusal) = error else { throw error }
        #expect(refusal.expression == "rank")
      }
    }
  }
}
