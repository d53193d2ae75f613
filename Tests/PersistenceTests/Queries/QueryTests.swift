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

  private func keys(_ condition: (Row<Show>) -> Query<Show>) async throws -> String {
    let query = Query(condition)
    return try await container.newContext().perform { try $0.keys(query) }
  }

  @Test func `evaluation in memory goes from left to right and no further than needed`() async throws {
    try await container.newContext().perform { objects in
      let studios = try objects.fetch(Studio.self)
      #expect(!studios.isEmpty)
      let shows = Query<Studio> { !$0.shows.isEmpty }
      let queries: [(Query<Studio>, Bool)] = [
        (Query { $0.name == "nobody" && shows }, false), (Query { $0.name == "nobody" && shows && shows }, false),
        (Query { $0.name != "nobody" || shows || shows }, true),
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
    #expect(try await keys { $0.year == 2000 } == "b")
    #expect(try await keys { $0.year != 2000 } == "ac")
    #expect(try await keys { $0.year < 2000 } == "a")
    #expect(try await keys { $0.year <= 2000 } == "ab")
    #expect(try await keys { $0.year > 2000 } == "c")
    #expect(try await keys { $0.year >= 2000 } == "bc")
    #expect(try await keys { $0.name == "Beta" } == "b")
    #expect(try await keys { $0.genre == .war } == "c")
    #expect(try await keys { $0.genre != .war } == "ab")
    #expect(try await keys { $0.seen } == "ac")
    #expect(try await keys { $0.seen == false } == "b")
  }

  @Test func `nil equals nil, and is neither less nor greater than any value`() async throws {
    #expect(try await keys { $0.rating == nil } == "b")
    #expect(try await keys { $0.rating != nil } == "ac")
    #expect(try await keys { $0.rating == 7.5 } == "a")
    #expect(try await keys { $0.rating != 7.5 } == "bc")
    #expect(try await keys { $0.rating > 1 } == "ac")
    #expect(try await keys { !($0.rating > 1) } == "b")
    #expect(try await keys { !($0.rating < 8) } == "bc")
    #expect(try await keys { !($0.rating < 8 && $0.year > 0) } == "bc")
    #expect(try await keys { !($0.rating < 8 || $0.rating > 8) } == "b")
    let missing: Double? = nil
    #expect(try await keys { $0.rating == missing } == "b")
    #expect(try await keys { $0.second == .war } == "a")
    #expect(try await keys { $0.second != .war } == "bc")
    #expect(try await keys { $0.liked == nil } == "b")
    #expect(try await keys { $0.liked == false } == "c")
  }

  @Test func `queries can be combined with and, or and not`() async throws {
    #expect(try await keys { $0.year > 1990 && $0.seen } == "c")
    #expect(try await keys { $0.year == 1990 || $0.key == "c" } == "ac")
    #expect(try await keys { !($0.year == 1990 || $0.key == "c") } == "b")
    #expect(try await keys { _ in .all } == "abc")
    #expect(try await keys { _ in .none } == "")
    #expect(try await keys { _ in !Query.all } == "")
  }

  @Test func `isIn finds values of a collection, which may contain nil`() async throws {
    #expect(try await keys { $0.year.isIn([1990, 2010, 1234]) } == "ac")
    #expect(try await keys { $0.year.isIn([] as [Int]) } == "")
    #expect(try await keys { !$0.year.isIn([] as [Int]) } == "abc")
    #expect(try await keys { $0.genre.isIn([.war, .comedy]) } == "bc")
    #expect(try await keys { $0.rating.isIn([7.5, 8]) } == "a")
    #expect(try await keys { $0.rating.isIn([7.5, nil]) } == "ab")
    #expect(try await keys { !$0.rating.isIn([7.5, nil]) } == "c")
    #expect(try await keys { !$0.rating.isIn([7.5]) } == "bc")
    #expect(try await keys { $0.name.isIn(Set(["Alpha", "x", "y"])) } == "a")
    #expect(try await keys { $0.year.isIn(Array(-20_000...1990)) } == "a")
    #expect(try await keys { $0.name.isIn((0..<5000).map(String.init) + ["Beta"]) } == "b")
  }

  @Test func `isIn finds values in ranges of every kind`() async throws {
    #expect(try await keys { $0.year.isIn(1990...2000) } == "ab")
    #expect(try await keys { $0.year.isIn(1990..<2000) } == "a")
    #expect(try await keys { $0.year.isIn(2000...) } == "bc")
    #expect(try await keys { $0.year.isIn(...2000) } == "ab")
    #expect(try await keys { $0.year.isIn(..<2000) } == "a")
    #expect(try await keys { $0.rating.isIn(7...8) } == "a")
    #expect(try await keys { !$0.rating.isIn(7...8) } == "bc")
    #expect(try await keys { $0.name.isIn("B"..."Bf") } == "b")
  }

  @Test func `a query can compare two properties`() async throws {
    #expect(try await keys { $0.genre == $0.genre } == "abc")
    #expect(try await keys { $0.name == $0.key } == "")
    #expect(try await keys { $0.name != $0.key } == "abc")
    #expect(try await keys { $0.key > $0.name } == "abc")
    #expect(try await keys { $0.key <= $0.name } == "")
  }

  @Test func `a query can compare ids`() async throws {
    let id = try await container.newContext().perform { try $0.fetch(Show.self, where: { $0.key == "b" }).first?.id }
    let found = try #require(id)
    #expect(try await keys { $0.id == found } == "b")
    #expect(try await keys { $0.id != found } == "ac")
    #expect(try await keys { $0.id.isIn([found, ObjectID<Show>(rawValue: 999_999)]) } == "b")
  }

  @Test func `text conditions compare strings by their bytes`() async throws {
    #expect(try await keys { $0.name.contains("ph") } == "a")
    #expect(try await keys { $0.name.contains("PH") } == "")
    #expect(try await keys { $0.name.contains("") } == "abc")
    #expect(try await keys { $0.name.hasPrefix("Caf") } == "c")
    #expect(try await keys { $0.name.hasPrefix("Café") } == "c")
    #expect(try await keys { $0.name.hasPrefix("") } == "abc")
    #expect(try await keys { $0.name.hasSuffix("ta") } == "b")
    #expect(try await keys { $0.nick.contains("") } == "ac")
    #expect(try await keys { !$0.nick.contains("a") } == "bc")
    #expect(try await keys { $0.nick.hasPrefix("a") } == "a")
    #expect(try await keys { !$0.nick.hasSuffix("") } == "b")
  }

  @Test func `folded text conditions ignore case and diacritics`() async throws {
    #expect(try await keys { $0.name.folded.contains("CAFE g") } == "c")
    #expect(try await keys { $0.name.folded.contains("CAFE\u{301}") } == "c")
    #expect(try await keys { $0.name.folded.hasPrefix("àL") } == "a")
    #expect(try await keys { $0.name.folded.hasSuffix("MA") } == "c")
    #expect(try await keys { $0.name.folded == "BETA" } == "b")
    #expect(try await keys { $0.nick.folded == "" } == "c")
    #expect(try await keys { $0.name.folded.like("%a") } == "abc")
    #expect(try await keys { $0.name.folded.like("_ET_") } == "b")
    #expect(try await keys { $0.name.folded.like("caf_ %") } == "c")
    #expect(try await keys { $0.name.folded.like(#"\%%"#) } == "")
    #expect(try await keys { $0.nick.folded.like("%") } == "ac")
  }

  @Test func `queries can match and count related objects`() async throws {
    #expect(try await keys { !$0.cast.isEmpty } == "ab")
    #expect(try await keys { $0.cast.isEmpty } == "c")
    #expect(try await keys { $0.cast.contains { $0.name == "Ann" } } == "a")
    #expect(try await keys { !$0.cast.contains { $0.name == "Ann" } } == "bc")
    #expect(try await keys { $0.cast.allSatisfy { $0.name == "Bob" } } == "bc")
    #expect(try await keys { $0.cast.allSatisfy { $0.born > 1900 } } == "c")
    #expect(try await keys { $0.studio.contains { $0.name == "Mosfilm" } } == "ab")
    #expect(try await keys { $0.studio.contains { $0.shows.contains { $0.key == "a" } } } == "ab")
    #expect(try await keys { $0.cast.contains { $0.shows.contains { $0.key == "b" } } } == "ab")
    #expect(try await keys { $0.cast.count == 2 } == "a")
    #expect(try await keys { $0.cast.count < 2 } == "bc")
    #expect(try await keys { $0.cast.count { $0.born == nil } >= 1 && $0.year < 2000 } == "a")
    #expect(try await keys { $0.studio == nil } == "c")
    #expect(try await keys { $0.studio != nil } == "ab")
    let studio = try await container.newContext().perform { try $0.fetch(Studio.self).first?.id }
    #expect(try await keys { $0.studio == studio } == "ab")
    #expect(try await keys { $0.studio != studio } == "c")
  }

  @Test func `a predicate can be part of a query`() async throws {
    #expect(try await keys { Query(#Predicate { $0.year > 1990 }) && $0.genre == .war } == "c")
    #expect(try await keys { _ in !Query(#Predicate { $0.seen }) } == "b")
  }

  @Test(arguments: [50, 120, 390])
  func `a query can have hundreds of clauses that a loop adds`(_ count: Int) async throws {
    try await container.newContext().perform { (objects) throws in
      let some = Query<Show> { show in
        (0..<count).reduce(.none) { $0 || show.name.folded == "alpha \($1)" } || show.year == 2000
      }
      #expect(try objects.keys(some) == "b")
      let all = (0..<count).reduce(Query<Show>.all) { query, year in query && Query { $0.year != year } }
      #expect(try objects.keys { all && $0.year < 2010 } == "ab")
      let nested = Query<Show> { show in
        (0..<20).reduce(show.year == 2000) { ($0 && show.year > $1) || show.year == $1 }
      }
      #expect(try objects.keys(nested) == "b")
    }
  }

  @Test(arguments: [400, 1_000_000])
  func `a query that is nested too deeply is rejected`(_ depth: Int) async throws {
    let chain = Query<Show> { show in (0..<depth).reduce(.none) { $0 || show.year == $1 } }
    let nots = (0..<depth).reduce(Query<Show> { $0.year == 1 }) { query, _ in !query }
    let nested = (0..<depth / 4).reduce(Query<Actor> { $0.name == "Ann" }) { inner, _ in
      Query { $0.shows.contains { $0.cast.contains { _ in inner } } }
    }
    for query in [chain, nots, Query<Show> { $0.cast.contains { _ in nested } }] {
      await #expect {
        try await container.newContext().perform { try $0.count(Show.self, matching: query) }
      } throws: { error in
        guard case .unsupportedQuery(let refusal) = error as? PersistenceError else { return false }
        return refusal.description.contains("nested too deeply")
      }
    }
  }

  @Test func `a query that is too large for SQLite is rejected`() async throws {
    let query = (0..<20).reduce(Query<Actor> { $0.name == "Ann" }) { inner, _ in
      Query { $0.shows.contains { $0.cast.contains { _ in inner } } }
    }
    await #expect {
      try await container.newContext().perform { try $0.count(Actor.self, matching: query) }
    } throws: { error in
      guard case .unsupportedQuery(let refusal) = error as? PersistenceError else { return false }
      return refusal.expression == "the query as a whole"
    }
  }

  @Test func `a condition can follow a path through a to-one relationship`() async throws {
    #expect(try await keys { $0.studio.name == "Mosfilm" } == "ab")
    #expect(try await keys { $0.studio.name != "Mosfilm" } == "c")
    #expect(try await keys { $0.studio.city == nil } == "abc")
    #expect(try await keys { $0.studio.city != nil } == "")
    #expect(try await keys { $0.studio.name < "N" } == "ab")
    #expect(try await keys { !($0.studio.name < "N") } == "c")
    #expect(try await keys { $0.studio.name.isIn(["Mosfilm", nil]) } == "abc")
    #expect(try await keys { $0.studio.name.folded == "MOSFILM" } == "ab")
    #expect(try await keys { $0.studio.shows.count == 2 } == "ab")
    #expect(try await keys { $0.studio.shows.count == 0 } == "c")
    #expect(try await keys { $0.studio.shows.isEmpty } == "c")
    #expect(try await keys { $0.studio.shows.contains { $0.year > 1990 } } == "ab")
    #expect(try await keys { $0.studio.shows.allSatisfy { $0.year > 1990 } } == "c")
    let studio = try await container.newContext().perform { try $0.fetch(Studio.self).first?.id }
    #expect(try await keys { $0.studio.id == studio! } == "ab")
  }

  @Test func `a path to a property that is not stored is rejected`() async throws {
    let queries = [
      Query<Show> { $0[dynamicMember: \.studio?.name] == "Mosfilm" },
      Query<Show> { !($0[dynamicMember: \.studio?.city] == nil) },
    ]
    for query in queries {
      await #expect {
        try await container.newContext().perform { try $0.count(Show.self, matching: query) }
      } throws: { error in
        guard case .unsupportedQuery(let refusal) = error as? PersistenceError else { return false }
        return refusal.reason.hasPrefix("a key path must name one property of Show")
      }
    }
  }

  @Test func `operations that take a query also take a predicate`() async throws {
    try await container.newContext().persist { (objects) throws in
      let year = 2000
      let last = try objects.first(Show.self, matching: #Predicate { $0.year >= year }, sort: [.descending(\.key)])
      #expect(last?.key == "c")
      #expect(
        try objects.explainSQL(FetchDescriptor(Show.self, matching: #Predicate { $0.year == year })).sql.contains(
          "year"))
      #expect(
        try objects.update(Show.self, matching: #Predicate { $0.year == year }, set: [.set(\.year, to: 2001)]) == 1)
      #expect(try objects.delete(Show.self, matching: #Predicate { $0.year == 2001 }) == 1)
      #expect(try objects.keys { _ in .all } == "ac")
    }
  }

  @Test func `a query can combine twelve clauses`() async throws {
    let name = "Alpha"
    let found = try await keys {
      $0.name == name && $0.year == 1990 && $0.rating > 7 && $0.rating != nil && !($0.seen == false)
        && $0.genre == .drama && $0.year.isIn(1900...2000) && $0.name.contains("ph")
        && $0.cast.contains { $0.name == "Ann" } && $0.second == .war && ($0.weight >= 1.5 || $0.episodes == nil)
        && $0.cast.count > 1
    }
    #expect(found == "a")
  }
}
