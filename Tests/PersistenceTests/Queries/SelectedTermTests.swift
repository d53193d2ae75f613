import Foundation
import Testing

@testable import Persistence

/// Sorting by terms, and selecting them without or with their objects.
@Suite struct SelectedTermTests {
  let container: PersistentContainer

  /// The shows `a` and `b` of Mosfilm, `c` without a studio, `d` of Aardman, and `e` of a studio in a city.
  init() async throws {
    container = try await PersistentContainer.shows()
    try await container.newContext().persist { objects in
      objects.insertThreeShows()
      for (key, name, city) in [("d", "Aardman", nil), ("e", "Zentropa", "Hvidovre")] {
        let show = objects.insert(Show.self)
        (show.key, show.name, show.year) = (key, "Show \(key)", 1970)
        let studio = objects.insert(Studio.self)
        (studio.name, studio.city) = (name, city)
        show.studio = studio
      }
    }
  }

  private func keys(_ sort: Sort<Show>..., limit: Int? = nil) async throws -> String {
    let request = FetchDescriptor(Show.self, sort: sort, limit: limit)
    return try await container.newContext().perform { try $0.fetch(request).map(\.key).joined() }
  }

  @Test func `a fetch sorts by an attribute of a related object, with nil first, last or where it is by default`()
    async throws
  {
    #expect(try await keys(.ascending { $0.studio.name }) == "cdabe")
    #expect(try await keys(.descending { $0.studio.name }) == "eabdc")
    #expect(try await keys(.ascending(nulls: .last) { $0.studio.name }) == "dabec")
    #expect(try await keys(.descending(nulls: .first) { $0.studio.name }) == "ceabd")
    #expect(try await keys(.ascending { $0.studio.name }, .descending(\.key)) == "cdbae")
    #expect(try await keys(.descending { $0.studio.city }, .ascending { $0.studio.name }, limit: 3) == "ecd")
  }

  @Test func `an attribute of the object itself can be sorted with nil last`() async throws {
    #expect(try await keys(.ascending(\.rating, nulls: .last)) == "acbde")
    #expect(try await keys(.descending(\.rating, nulls: .first)) == "bdeca")
    #expect(try await keys(.ascending(\.rating, nulls: .first)) == "bdeac")
    #expect(try await keys(.descending(\.rating, nulls: .last)) == "cabde")
  }

  @Test func `calculated values can be selected, sorted by, grouped by and summed up`() async throws {
    #expect(try await keys(.ascending { 0 - $0.year }, .ascending(\.key)) == "cbade")
    #expect(try await keys(.descending(nulls: .last) { $0.rating * $0.weight }, .ascending(\.key)) == "acbde")
    try await container.newContext().perform { objects in
      let request = FetchDescriptor(Show.self, where: { $0.year > 1980 })
      let values = try objects.values(in: request) { ($0.year + 1, 4000 / $0.year, $0.year % 0, $0.rating * 2) }
      #expect(values.map(\.0) == [1991, 2001, 2011])
      #expect(values.map(\.1) == [2, 2, 1] && values.allSatisfy { $0.2 == nil } && values.map(\.3) == [15, nil, 18])
      let decades = try objects.groups(
        in: FetchDescriptor(Show.self), by: { $0.year / 10 * 10 }, of: { ($0.count, $0.sum { $0.year - 1900 }) })
      #expect(decades.map(\.key) == [1970, 1990, 2000, 2010])
      #expect(decades.map(\.value.0) == [2, 1, 1, 1] && decades.map(\.value.1) == [140, 90, 100, 110])
    }
  }

  @Test func `a calculation that does not fit its type, or that the store cannot do, is a typed error`() async throws {
    await #expect {
      _ = try await container.newContext().perform { objects in
        try objects.values(in: FetchDescriptor(Show.self)) { $0.year * Int.max }
      }
    } throws: { error in
      guard case .invalidValue = error as? PersistenceError else { return false }
      return true
    }
    await #expect {
      _ = try await container.newContext().perform { try $0.count(Show.self, where: { $0.price + 1 > 2 }) }
    } throws: { error in
      guard case .unsupportedQuery(let reason) = error as? PersistenceError else { return false }
      return "\(reason)".contains("integers and Double")
    }
  }

  @Test func `a fetch sorts by counts, conditions and ids`() async throws {
    #expect(try await keys(.descending { $0.cast.count }) == "abcde")
    #expect(try await keys(.descending { $0.cast.count { $0.born != nil } }) == "abcde")
    #expect(try await keys(.ascending { $0.year > 1980 }, .descending(\.key)) == "edcba")
    #expect(try await keys(.descending { $0.studio.id }) == "edabc")
    #expect(try await keys(.ascending { _ in .all }) == "abcde")
  }

  @Test func `two keys of one related object join it once, and a count does not join it`() async throws {
    let request = FetchDescriptor(
      Show.self, where: { $0.year > 1900 }, sort: [.ascending { $0.studio.name }, .ascending { $0.studio.city }])
    let (sql, count) = try await container.newContext().perform { objects in
      (try objects.explainSQL(request).sql, try objects.count(request))
    }
    #expect(sql.components(separatedBy: "LEFT JOIN").count == 2 && !sql.contains("(SELECT"))
    #expect(count == 4 + 1)
  }

  @Test func `an explanation says how live results are updated`() async throws {
    try await container.newContext().perform { objects in
      let requests: [(FetchDescriptor<Show>, FetchExplanation.LiveUpdates)] = [
        (FetchDescriptor(Show.self, where: { $0.year > 1 }, sort: [.ascending(\.name)]), .fromCommits),
        (FetchDescriptor(Show.self, sort: [.ascending { $0.year > 1980 }]), .fromCommits),
        (FetchDescriptor(Show.self, sort: [.ascending { $0.studio.name }]), .readingChangedRows),
        (FetchDescriptor(Show.self, where: { $0.cast.isEmpty }), .readingChangedRows),
        (FetchDescriptor(Show.self, sort: [.ascending { $0.studio.shows.count }]), .readingAllRows),
        (FetchDescriptor(Show.self, sort: [.ascending(\.name)], limit: 3), .readingAllRows),
      ]
      for (request, expected) in requests {
        let explanation = try objects.explainSQL(request)
        #expect(explanation.liveUpdates == expected, "\(explanation)")
      }
    }
  }

  @Test func `an index serves a sort with nil last`() async throws {
    let request = FetchDescriptor(Show.self, sort: [.ascending(\.nick, nulls: .last)], limit: 2)
    let plan = try await container.newContext().perform { try $0.explainSQL(request).plan }
    #expect(plan.contains { $0.contains("USING INDEX") }, "\(plan)")
  }

  @Test func `values are selected as tuples, through relationships and with defaults`() async throws {
    let request = FetchDescriptor(Show.self, sort: [.ascending { $0.studio.name }])
    try await container.newContext().perform { objects in
      let rows = try objects.values(in: request) { ($0.key, $0.rating, $0.studio.name.optional, $0.cast.count) }
      #expect(rows.map(\.0).joined() == "cdabe")
      #expect(rows.map(\.1) == [9, nil, 7.5, nil, nil])
      #expect(rows.map(\.2) == [nil, "Aardman", "Mosfilm", "Mosfilm", "Zentropa"])
      #expect(rows.map(\.3) == [0, 0, 2, 1, 0])
      #expect(try objects.values(in: request) { $0.studio.name ?? "none" }.first == "none")
      #expect(try objects.values(in: request) { $0.genre } == [.war, .drama, .drama, .comedy, .drama])
      #expect(try objects.values(in: request) { $0.year > 1980 } == [true, false, true, true, false])
      #expect(
        try objects.values(in: request) { $0.studio.id.optional }.map { $0 == nil } == [
          true, false, false, false, false,
        ])
    }
  }

  @Test func `a value that may be nil without a related object needs an optional type`() async throws {
    let error = await #expect(throws: PersistenceError.self) {
      try await container.newContext().perform { objects in
        _ = try objects.values(in: FetchDescriptor(Show.self)) { ($0.key, $0.studio.name) }
      }
    }
    guard case .unsupportedQuery(let refusal) = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(refusal.expression.contains("name") && refusal.reason.contains("`.optional`"))
  }

  @Test func `selected values include the conditions, the limit and changes that are not saved`() async throws {
    let context = container.newContext()
    try await context.perform { objects in
      let studio = try #require(try objects.first(Studio.self, where: { $0.name == "Aardman" }))
      studio.name = "Zz"
      let year = 1980
      let request = FetchDescriptor(
        Show.self, where: { $0.year < year || $0.studio == nil }, sort: [.descending { $0.studio.name }], limit: 2,
        offset: 1)
      let rows = try objects.values(in: request) { ($0.key, $0.cast.count { $0.name.isIn(["Ann", "x"]) }) }
      #expect(rows.map(\.0) == ["e", "c"] && rows.map(\.1) == [0, 0])
    }
  }

  @Test func `objects are fetched with counts and other values of their relationships in one statement`()
    async throws
  {
    try await container.newContext().perform { objects in
      let request = FetchDescriptor(Studio.self, sort: [.descending { $0.shows.count }, .ascending(\.name)])
      let seen = try objects.fetch(request, with: { $0.shows.count { $0.seen } })
      #expect(seen.map(\.object.name) == ["Mosfilm", "Aardman", "Zentropa"])
      #expect(seen.map(\.value) == [1, 0, 0])
      let rows = try objects.fetch(
        request,
        with: {
          (
            $0.shows.sum { $0.episodes }, $0.shows.sum { $0.weight }, $0.shows.average { $0.rating },
            $0.shows.minimum { $0.year }, $0.shows.maximum(of: { $0.name }, where: { $0.year < 2000 })
          )
        })
      #expect(rows[0].object === seen[0].object)
      #expect(rows.map(\.values.0) == [10, 0, 0] && rows.map(\.values.1) == [-0.5, 0, 0])
      #expect(rows.map(\.values.2) == [7.5, nil, nil] && rows.map(\.values.3) == [1990, 1970, 1970])
      #expect(rows.map(\.values.4) == ["Alpha", "Show d", "Show e"])
    }
    // Objects that are not in memory yet are read from the same rows.
    try await container.newContext().perform { objects in
      let rows = try objects.fetch(FetchDescriptor(Actor.self, sort: [.ascending(\.name)]), with: { $0.shows.count })
      #expect(rows.map(\.object.born) == [1960, nil] && rows.map(\.value) == [1, 2])
    }
  }

  @Test func `a value of a related class decides a condition, in the store and in memory`() async throws {
    try await container.newContext().perform { objects in
      let studios = try objects.fetch(Studio.self)
      let queries = [
        Query<Studio> { $0.shows.maximum { $0.year } > 1995 }, Query { $0.shows.minimum { $0.nick } == "al" },
        Query { $0.shows.sum { $0.episodes } == 0 },
        Query { $0.shows.sum(of: { $0.year }, where: { $0.seen }) >= 1990 },
      ]
      for (query, count) in zip(queries, [1, 1, 2, 1]) {
        let found = try objects.fetch(Studio.self, matching: query)
        #expect(found.count == count)
        for studio in studios { #expect(try query.matches(studio) == found.contains(studio)) }
      }
      #expect(throws: PersistenceError.self) {
        _ = try Query<Studio> { $0.shows.average { $0.rating } > 1 }.matches(studios[0])
      }
    }
  }

  @Test func `a row that is used outside of its closure is refused`() async throws {
    _ = try await container.newContext().perform { objects in
      #expect(throws: PersistenceError.self) {
        var outer: Term<Show, Int>?
        _ = try objects.values(in: FetchDescriptor(Show.self)) { show in
          outer = show.year
          return show.year
        }
        let term = try #require(outer)
        _ = try objects.values(in: FetchDescriptor(Show.self)) { _ in term }
      }
    }
  }
}
