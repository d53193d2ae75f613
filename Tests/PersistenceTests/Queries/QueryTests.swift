import Foundation
import Persistence
import PersistenceTesting
import Testing

/// Every query is also evaluated in memory; see `keys`.
@Suite struct QueryTests {
  let container: PersistentContainer

  init() async throws {
    container = try await PersistentContainer.shows()
    try await container.newContext().persist { $0.insertThreeShows() }
  }

  private func keys(_ query: Query<Show>) async throws -> String {
    try await container.newContext().perform { try $0.keys(query) }
  }

  @Test func `evaluation in memory goes from left to right and no further than needed`() async throws {
    try await container.newContext().perform { objects in
      let studios = try objects.fetch(Studio.self)
      #expect(!studios.isEmpty)
      let shows = Query<Studio>.any(\.shows)
      let queries: [(Query<Studio>, Bool)] = [
        (\.name == "nobody" && shows, false), (\.name == "nobody" && shows && shows, false),
        (\.name != "nobody" || shows || shows, true),
      ]
      for studio in studios {
        try objects.expectQueries(atMost: 0) {
          for (query, isTrue) in queries {
            let answer = try query.matches(studio)
            #expect(answer == isTrue)
          }
        }
      }
    }
  }

  @Test func `queries compare attributes with values`() async throws {
    #expect(try await keys(\.year == 2000) == "b")
    #expect(try await keys(\.year != 2000) == "ac")
    #expect(try await keys(\.year < 2000) == "a")
    #expect(try await keys(\.year <= 2000) == "ab")
    #expect(try await keys(\.year > 2000) == "c")
    #expect(try await keys(\.year >= 2000) == "bc")
    #expect(try await keys(\.name == "Beta") == "b")
    #expect(try await keys(\.genre == .war) == "c")
    #expect(try await keys(\.genre != .war) == "ab")
    #expect(try await keys(.is(\.seen)) == "ac")
    #expect(try await keys(\.seen == false) == "b")
  }

  @Test func `nil equals nil, and is neither less nor greater than any value`() async throws {
    #expect(try await keys(\.rating == nil) == "b")
    #expect(try await keys(\.rating != nil) == "ac")
    #expect(try await keys(\.rating == 7.5) == "a")
    #expect(try await keys(\.rating != 7.5) == "bc")
    #expect(try await keys(\.rating > 1) == "ac")
    #expect(try await keys(!(\.rating > 1)) == "b")
    #expect(try await keys(!(\.rating < 8)) == "bc")
    #expect(try await keys(!(\.rating < 8 && \.year > 0)) == "bc")
    #expect(try await keys(!(\.rating < 8 || \.rating > 8)) == "b")
    let missing: Double? = nil
    #expect(try await keys(\.rating == missing) == "b")
    #expect(try await keys(\.second == .war) == "a")
    #expect(try await keys(\.second != .war) == "bc")
    #expect(try await keys(\.liked == nil) == "b")
    #expect(try await keys(\.liked == false) == "c")
  }

  @Test func `queries can be combined with and, or and not`() async throws {
    #expect(try await keys(\.year > 1990 && .is(\.seen)) == "c")
    #expect(try await keys(\.year == 1990 || \.key == "c") == "ac")
    #expect(try await keys(!(\.year == 1990 || \.key == "c")) == "b")
    #expect(try await keys(.all) == "abc")
    #expect(try await keys(.none) == "")
    #expect(try await keys(!.all) == "")
  }

  @Test func `isIn finds values of a collection, which may contain nil`() async throws {
    #expect(try await keys(.isIn(\.year, [1990, 2010, 1234])) == "ac")
    #expect(try await keys(.isIn(\.year, [] as [Int])) == "")
    #expect(try await keys(!.isIn(\.year, [] as [Int])) == "abc")
    #expect(try await keys(.isIn(\.genre, [.war, .comedy])) == "bc")
    #expect(try await keys(.isIn(\.rating, [7.5, 8])) == "a")
    #expect(try await keys(.isIn(\.rating, [7.5, nil])) == "ab")
    #expect(try await keys(!.isIn(\.rating, [7.5, nil])) == "c")
    #expect(try await keys(!.isIn(\.rating, [7.5])) == "bc")
    #expect(try await keys(.isIn(\.name, Set(["Alpha", "x", "y"]))) == "a")
    #expect(try await keys(.isIn(\.year, Array(-20_000...1990))) == "a")
    #expect(try await keys(.isIn(\.name, (0..<5000).map(String.init) + ["Beta"])) == "b")
  }

  @Test func `isIn finds values in ranges of every kind`() async throws {
    #expect(try await keys(.isIn(\.year, 1990...2000)) == "ab")
    #expect(try await keys(.isIn(\.year, 1990..<2000)) == "a")
    #expect(try await keys(.isIn(\.year, 2000...)) == "bc")
    #expect(try await keys(.isIn(\.year, ...2000)) == "ab")
    #expect(try await keys(.isIn(\.year, ..<2000)) == "a")
    #expect(try await keys(.isIn(\.rating, 7...8)) == "a")
    #expect(try await keys(!.isIn(\.rating, 7...8)) == "bc")
    #expect(try await keys(.isIn(\.name, "B"..."Bf")) == "b")
  }

  @Test func `a query can compare two properties`() async throws {
    #expect(try await keys(\.genre == \.genre) == "abc")
    #expect(try await keys(\.name == \.key) == "")
    #expect(try await keys(\.name != \.key) == "abc")
    #expect(try await keys(\.key > \.name) == "abc")
    #expect(try await keys(\.key <= \.name) == "")
  }

  @Test func `a query can compare ids`() async throws {
    let id = try await container.newContext().perform { try $0.fetch(Show.self, where: \.key == "b").first?.id }
    let found = try #require(id)
    #expect(try await keys(\.id == found) == "b")
    #expect(try await keys(\.id != found) == "ac")
    #expect(try await keys(.isIn(\.id, [found, ObjectID<Show>(rawValue: 999_999)])) == "b")
  }

  @Test func `text conditions compare strings by their bytes`() async throws {
    #expect(try await keys(.text(\.name, contains: "ph")) == "a")
    #expect(try await keys(.text(\.name, contains: "PH")) == "")
    #expect(try await keys(.text(\.name, contains: "")) == "abc")
    #expect(try await keys(.text(\.name, beginsWith: "Caf")) == "c")
    #expect(try await keys(.text(\.name, beginsWith: "Café")) == "c")
    #expect(try await keys(.text(\.name, beginsWith: "")) == "abc")
    #expect(try await keys(.text(\.name, endsWith: "ta")) == "b")
    #expect(try await keys(.text(\.nick, contains: "")) == "ac")
    #expect(try await keys(!.text(\.nick, contains: "a")) == "bc")
    #expect(try await keys(.text(\.nick, beginsWith: "a")) == "a")
    #expect(try await keys(!.text(\.nick, endsWith: "")) == "b")
  }

  @Test func `folded text conditions ignore case and diacritics`() async throws {
    #expect(try await keys(.folded(\.name, contains: "CAFE g")) == "c")
    #expect(try await keys(.folded(\.name, contains: "CAFE\u{301}")) == "c")
    #expect(try await keys(.folded(\.name, beginsWith: "àL")) == "a")
    #expect(try await keys(.folded(\.name, endsWith: "MA")) == "c")
    #expect(try await keys(.folded(\.name, equals: "BETA")) == "b")
    #expect(try await keys(.folded(\.nick, equals: "")) == "c")
    #expect(try await keys(.folded(\.name, like: "%a")) == "abc")
    #expect(try await keys(.folded(\.name, like: "_ET_")) == "b")
    #expect(try await keys(.folded(\.name, like: "caf_ %")) == "c")
    #expect(try await keys(.folded(\.name, like: #"\%%"#)) == "")
    #expect(try await keys(.folded(\.nick, like: "%")) == "ac")
  }

  @Test func `queries can match and count related objects`() async throws {
    #expect(try await keys(.any(\.cast)) == "ab")
    #expect(try await keys(.none(\.cast)) == "c")
    #expect(try await keys(.any(\.cast, \.name == "Ann")) == "a")
    #expect(try await keys(.none(\.cast, \.name == "Ann")) == "bc")
    #expect(try await keys(.all(\.cast, \.name == "Bob")) == "bc")
    #expect(try await keys(.all(\.cast, \.born > 1900)) == "c")
    #expect(try await keys(.any(\.studio, \.name == "Mosfilm")) == "ab")
    #expect(try await keys(.any(\.studio, .any(\.shows, \.key == "a"))) == "ab")
    #expect(try await keys(.any(\.cast, .any(\.shows, \.key == "b"))) == "ab")
    #expect(try await keys(.count(\.cast) == 2) == "a")
    #expect(try await keys(.count(\.cast) < 2) == "bc")
    #expect(try await keys(.count(\.cast, \.born == nil) >= 1 && \.year < 2000) == "a")
    #expect(try await keys(\.studio == nil) == "c")
    #expect(try await keys(\.studio != nil) == "ab")
    let studio = try await container.newContext().perform { try $0.fetch(Studio.self).first?.id }
    #expect(try await keys(\.studio == studio) == "ab")
    #expect(try await keys(\.studio != studio) == "c")
  }

  @Test func `a predicate can be part of a query`() async throws {
    #expect(try await keys(Query(#Predicate { $0.year > 1990 }) && \.genre == .war) == "c")
    #expect(try await keys(!Query(#Predicate { $0.seen })) == "b")
  }

  @Test(arguments: [50, 120, 390])
  func `a query can have hundreds of clauses that a loop adds`(_ count: Int) async throws {
    try await container.newContext().perform { (objects) throws in
      let some = (0..<count).reduce(Query<Show>.none) { $0 || .folded(\.name, equals: "alpha \($1)") } || \.year == 2000
      #expect(try objects.keys(some) == "b")
      let all = (0..<count).reduce(Query<Show>.all) { $0 && \.year != $1 } && \.year < 2010
      #expect(try objects.keys(all) == "ab")
      let nested = (0..<20).reduce(\Show.year == 2000) { ($0 && \.year > $1) || \.year == $1 }
      #expect(try objects.keys(nested) == "b")
    }
  }

  @Test(arguments: [400, 1_000_000])
  func `a query that is nested too deeply is rejected`(_ depth: Int) async throws {
    let chain = (0..<depth).reduce(Query<Show>.none) { $0 || \.year == $1 }
    let nots = (0..<depth).reduce(\Show.year == 1) { query, _ in !query }
    let anys = (0..<depth / 4).reduce(\Actor.name == "Ann") { inner, _ in .any(\.shows, .any(\.cast, inner)) }
    for query in [chain, nots, .any(\.cast, anys)] {
      await #expect {
        try await container.newContext().perform { try $0.count(Show.self, where: query) }
      } throws: { error in
        guard case .unsupportedQuery(let refusal) = error as? PersistenceError else { return false }
        return refusal.description.contains("nested too deeply")
      }
    }
  }

  @Test func `a query that is too large for SQLite is rejected`() async throws {
    let query = (0..<20).reduce(\Actor.name == "Ann") { inner, _ in .any(\.shows, .any(\.cast, inner)) }
    await #expect {
      try await container.newContext().perform { try $0.count(Actor.self, where: query) }
    } throws: { error in
      guard case .unsupportedQuery(let refusal) = error as? PersistenceError else { return false }
      return refusal.expression == "the query as a whole"
    }
  }

  @Test func `a path through a relationship is rejected with the hint to use any`() async throws {
    for query in [\Show.studio?.name == "Mosfilm", !(\Show.studio?.city == nil)] as [Query<Show>] {
      await #expect {
        try await container.newContext().perform { try $0.count(Show.self, where: query) }
      } throws: { error in
        guard case .unsupportedQuery(let refusal) = error as? PersistenceError else { return false }
        return refusal.reason == "is not a stored property of Show; use .any to query related objects"
      }
    }
  }

  @Test func `operations that take a query also take a predicate`() async throws {
    try await container.newContext().persist { (objects) throws in
      let year = 2000
      let last = try objects.first(Show.self, where: #Predicate { $0.year >= year }, sort: [.descending(\.key)])
      #expect(last?.key == "c")
      #expect(try objects.explainSQL(#Predicate<Show> { $0.year == year }).sql.contains("year"))
      #expect(try objects.update(Show.self, where: #Predicate { $0.year == year }, set: [.set(\.year, to: 2001)]) == 1)
      #expect(try objects.delete(Show.self, where: #Predicate { $0.year == 2001 }) == 1)
      #expect(try objects.keys(.all) == "ac")
    }
  }

  @Test func `a query can combine twelve clauses`() async throws {
    let name = "Alpha"
    let query: Query<Show> =
      \.name == name && \.year == 1990 && \.rating > 7 && \.rating != nil && !(\.seen == false) && \.genre == .drama
      && .isIn(\.year, 1900...2000) && .text(\.name, contains: "ph") && .any(\.cast, \.name == "Ann")
      && \.second == .war && (\.weight >= 1.5 || \.episodes == nil) && .count(\.cast) > 1
    #expect(try await keys(query) == "a")
  }
}
