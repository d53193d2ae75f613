import Foundation
import LarderTestSupport
import Testing

@testable import Persistence

/// Ranked searches compared with FTS5 itself.
@Suite struct SearchRankTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private static let words = ["a", "b", "fox", "foxes", "dog", "élan", "straße", "42", "x"]

  private static func text(_ count: ClosedRange<Int>, _ random: inout SplitMix) -> String {
    (0..<Int.random(in: count, using: &random)).map { _ in words.randomElement(using: &random)! }.joined(separator: " ")
  }

  @Test func `searches return the objects of a plain FTS5 query, in its order`() async throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    let container = try await store.open(Article.self, Author.self)
    try await container.newContext().persist { objects in
      var random = SplitMix(seed: seed)
      for number in 0..<300 {
        let body = Bool.random(using: &random) ? Self.text(0...12, &random) : nil
        let article = Article.insert(Self.text(0...4, &random), body, number, in: objects)
        article.year = Int.random(in: 2000..<2010, using: &random)
      }
      for round in 0..<200 {
        let search = SearchText(Self.text(1...2, &random), completesLastWord: Bool.random(using: &random))
        let (title, body) = (Double.random(in: 0.1...10, using: &random), Double.random(in: 0.1...10, using: &random))
        let weights = [SearchWeight<Article>(\.title, title), SearchWeight(\.body, body)]
        let limit = Bool.random(using: &random) ? Int.random(in: 0...20, using: &random) : nil
        let offset = Bool.random(using: &random) ? Int.random(in: 0...5, using: &random) : 0
        let year = Bool.random(using: &random) ? 2005 : 0
        let request =
          year == 0
          ? FetchDescriptor<Article>(searching: search, weights: weights, limit: limit, offset: offset)
          : FetchDescriptor(
            searching: search, weights: weights, where: { $0.year >= year }, limit: limit, offset: offset)
        // The columns of the index are sorted by name: text (the body) and title
        let rows = try objects.select(
          """
          SELECT a._id, bm25(_larder_Article_search, \(body), \(title))
          FROM _larder_Article_search JOIN Article a ON a._id = _larder_Article_search.rowid
          WHERE _larder_Article_search MATCH \(search.match) AND a.year >= \(year)
          ORDER BY 2, 1 LIMIT \(limit ?? -1) OFFSET \(offset)
          """, as: (Int64, Double).self)
        let (ids, ranks) = (rows.map(\.0), rows.map(\.1))
        let comment: Comment = "seed \(seed), round \(round): \(search.match), \(limit as Any), \(offset), \(year)"
        #expect(try objects.fetch(request).map(\.id.rawValue) == ids, comment)
        #expect(try objects.fetchIDs(request).map(\.rawValue) == ids, comment)
        #expect(try objects.count(request) == ids.count, comment)
        #expect(try objects.values(in: request) { $0.rank(for: search, weights: weights) } == ranks, comment)
        let pairs = try objects.fetch(request, with: { $0.rank(for: search, weights: weights) })
        #expect(pairs.map(\.object.id.rawValue) == ids && pairs.map(\.value) == ranks, comment)
        var streamed: [Int64] = []
        try objects.forEach(request) { streamed.append($0.id.rawValue) }
        #expect(streamed == ids, comment)
        // From the worst to the best, and by another key first
        var descending = request
        descending.sort = [.descending { $0.rank(for: search, weights: weights) }]
        (descending.limit, descending.offset) = (nil, 0)
        var all = request
        (all.limit, all.offset) = (nil, 0)
        let best = try objects.values(in: all) { $0.rank(for: search, weights: weights) }
        #expect(
          try objects.values(in: descending) { $0.rank(for: search, weights: weights) } == best.reversed(), comment)
      }
    }
  }
}
