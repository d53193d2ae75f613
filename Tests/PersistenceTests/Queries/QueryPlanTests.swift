import Foundation
import Testing

@testable import Persistence

/// The SQL of queries, the indexes that it uses, and the reuse of one plan for each shape.
@Suite struct QueryPlanTests {
  let container: PersistentContainer

  init() async throws {
    container = try await PersistentContainer.shows()
    try await container.newContext().persist { $0.insertThreeShows() }
  }

  private func explain(_ query: Query<Show>) async throws -> FetchExplanation {
    try await container.newContext().perform { try $0.explainSQL(FetchDescriptor(Show.self, matching: query)) }
  }

  private func explain(_ condition: (Row<Show>) -> Query<Show>) async throws -> FetchExplanation {
    try await explain(Query(condition))
  }

  private func condition(_ condition: (Row<Show>) -> Query<Show>) async throws -> String {
    try await self.condition(Query(condition))
  }

  private func condition(_ query: Query<Show>) async throws -> String {
    let sql = try await explain(query).sql
    let start = try #require(sql.range(of: " WHERE ")?.upperBound)
    let end = try #require(sql.range(of: " ORDER BY ", options: .backwards)?.lowerBound)
    return String(sql[start..<end])
  }

  @Test func `common queries become the expected SQL`() async throws {
    #expect(try await condition { $0.year == 1 } == #"t0."year" = ?1"#)
    #expect(try await condition { $0.nick == "x" } == #"t0."nick" = ?1"#)
    #expect(try await condition { $0.nick == nil } == #"t0."nick" IS NULL"#)
    #expect(try await condition { $0.nick != "x" } == #"t0."nick" IS NOT ?1"#)
    #expect(try await condition { $0.year != 1 } == #"t0."year" <> ?1"#)
    #expect(try await condition { $0.year > 1 && $0.year < 9 } == #"(t0."year" > ?1 AND t0."year" < ?2)"#)
    #expect(try await condition { !($0.rating > 1) } == #"(t0."rating" > ?1) IS NOT TRUE"#)
    #expect(try await condition { !($0.weight > 1) } == #"NOT (t0."weight" > ?1)"#)
    #expect(try await condition { $0.year.isIn([1, 2]) } == #"t0."year" IN (SELECT value FROM json_each(?1))"#)
    #expect(try await condition { $0.name.isIn(["a", "b", "c"]) } == #"t0."name" IN (?1,?2,?3,?4)"#)
    #expect(try await condition { $0.name.hasPrefix("x") } == #"(t0."name" >= ?1 AND t0."name" < ?2)"#)
  }

  @Test func `a condition on an optional needs no CASE if nil does not match`() async throws {
    #expect(
      try await condition(Query(#Predicate { if let nick = $0.nick { nick == "a" } else { false } }))
        == #"t0."nick" = ?1"#)
    #expect(
      try await condition(Query(#Predicate { $0.nick?.contains("a") == true })) == #"instr(t0."nick", ?1) > 0"#)
    #expect(
      try await condition(Query(#Predicate { if let nick = $0.nick { nick != "a" } else { false } }))
        == #"t0."nick" <> ?1"#)
  }

  /// Inserts enough rows to make an index worthwhile for SQLite, which counts rows from time to time.
  private func insertManyShows() async throws {
    try await container.newContext().persist { objects in
      for number in 0..<3000 {
        let show = objects.insert(Show.self)
        (show.key, show.name, show.nick, show.year) = ("k\(number)", "n\(number)", "m\(number)", number)
        let studio = objects.insert(Studio.self)
        show.studio = studio
      }
    }
  }

  @Test func `queries on indexed attributes use the indexes`() async throws {
    try await insertManyShows()
    let queries: [(Query<Show>, String)] = [
      (Query { $0.key == "a" }, "key"), (Query { $0.name == "a" }, "name"),
      (Query { $0.nick == "a" }, "nick"), (Query { $0.nick == nil }, "nick"),
      (Query { $0.year.isIn(1...2) }, "year"), (Query { $0.year.isIn([1, 2, 3]) }, "year"),
      (Query { $0.name.isIn(["x", "y", "z"]) }, "name"), (Query { $0.name.hasPrefix("A") }, "name"),
      (Query { $0.year == 1 && $0.weight > 2 }, "year"), (Query { $0.year == 1 && !($0.rating > 2) }, "year"),
      (Query(#Predicate { if let nick = $0.nick { nick == "a" } else { false } }), "nick"),
      (Query(#Predicate { $0.nick == "a" }), "nick"), (Query { $0.studio == ObjectID(rawValue: 1) }, "studio"),
      (Query(#Predicate { $0.name.starts(with: "A") }), "name"),
    ]
    for (query, column) in queries {
      let explanation = try await explain(query)
      let isIndexed = explanation.plan.contains { $0.hasPrefix("SEARCH t0 USING") && $0.contains("(\(column)") }
      #expect(isIndexed, "\(explanation)")
    }
  }

  @Test func `a sort key that is always false is not taken for the number of a column`() async throws {
    try await container.newContext().perform { (objects) throws in
      let ids = try objects.fetchIDs(FetchDescriptor(Show.self, sort: [.descending { $0.weight < .nan }]))
      #expect(ids.map(\.rawValue) == [1, 2, 3])
    }
  }

  @Test func `one index serves both a range condition and the order by its attribute`() async throws {
    try await container.newContext().perform { (objects) throws in
      let request = FetchDescriptor(Show.self, where: { $0.year > 1 }, sort: [.ascending(\.year)])
      let plan = try objects.explainSQL(request).plan
      #expect(plan.count == 1 && plan[0].hasPrefix("SEARCH t0 USING INDEX") && plan[0].hasSuffix("(year>?)"), "\(plan)")
    }
  }

  @Test func `conditions on ids are looked up by key`() async throws {
    let explanation = try await explain { $0.id == ObjectID(rawValue: 1) }
    #expect(explanation.plan == ["SEARCH t0 USING INTEGER PRIMARY KEY (rowid=?)"])
    let through = try await explain(Query(#Predicate { $0.studio?.id.rawValue == 5 }))
    #expect(through.plan.first?.contains("(studio=?)") == true, "\(through)")
  }

  @Test func `a condition that no related object may match becomes EXISTS with key lookups`() async throws {
    let explanation = try await explain { !$0.cast.contains { $0.name == "Ann" } }
    #expect(explanation.sql.contains("EXISTS (SELECT 1 FROM"))
    #expect(!explanation.plan.contains { $0.hasPrefix("SCAN") && !$0.hasPrefix("SCAN t0") }, "\(explanation)")
  }

  @Test func `queries of the same shape share a plan, whatever their values`() async throws {
    try await container.newContext().perform { (objects) throws in
      for year in 0..<50 {
        _ = try objects.fetch(Show.self, where: { $0.year == year && $0.weight.isIn(0...Double(year)) })
        _ = try objects.fetch(Show.self, matching: #Predicate { $0.year == year }, limit: year)
        _ = try objects.fetch(Show.self, where: { $0.year.isIn(Array(0...year)) })
      }
      #expect(objects.plans.count == 3)
    }
  }

  @Test func `the cache of query plans is bounded`() async throws {
    let container = try await PersistentContainer(
      at: .inMemory, schema: Schema(Show.self, Studio.self, Actor.self)
    ) { $0.statementCacheCapacity = 4 }
    try await container.newContext().perform { (objects) throws in
      for count in 1...40 {
        var query = Query<Show> { $0.year == 0 }
        for year in 1..<count { query = query || Query { $0.year == year } }
        #expect(try objects.fetch(Show.self, matching: query).isEmpty)
      }
      #expect(objects.plans.count <= 4)
    }
  }

  @Test func `queries for numbers, nil and NaN in turn give correct counts`() async throws {
    try await container.newContext().perform { (objects) throws in
      func count(_ rating: Double?) throws -> Int { try objects.count(Show.self, where: { $0.rating == rating }) }
      #expect(try [7.5, nil, .nan, 9, nil, .nan].map(count) == [1, 1, 0, 1, 1, 0])
    }
  }

  @Test func `queries with new key paths do not reuse the plans of other key paths`() async throws {
    try await container.newContext().perform { (objects) throws in
      for round in 0..<200 {
        let path: any KeyPath<Show, String> & Sendable = round.isMultiple(of: 2) ? \.key : \.name
        #expect(
          try objects.fetch(Show.self, where: { $0[dynamicMember: path] == "a" }).count
            == (round.isMultiple(of: 2) ? 1 : 0))
      }
    }
  }

  @Test func `query values are bound and never spliced into SQL`() async throws {
    let nasty = #"'; DROP TABLE "Show"; -- " \0 ?1"# + "\u{0}x"
    let explanation = try await explain { $0.name == nasty || $0.name.contains(nasty) || $0.name.isIn([nasty]) }
    #expect(!explanation.sql.contains("DROP"))
    try await container.newContext().perform { (objects) throws in
      let show = objects.insert(Show.self)
      show.name = nasty
      let query = Query<Show> { $0.name == nasty && $0.name.hasSuffix("\u{0}x") && $0.name.folded.like("%\u{0}X") }
      #expect(try objects.fetch(Show.self, matching: query) == [show])
    }
  }

  @Test func `a rejected query names its unsupported part and begins no transaction`() async throws {
    try await container.newContext().perform { (objects) throws in
      let show = objects.insert(Show.self)
      show.key = "pending"
      #expect {
        try objects.fetch(Show.self, where: { $0.year == 1 && $0.shouting == "X" })
      } throws: { error in
        guard case .unsupportedQuery(let refusal) = error as? PersistenceError else { return false }
        return refusal.reason == "is not a stored property of Show" && refusal.expression.contains("Show")
      }
      #expect(objects.unit.transaction == .none)
    }
  }

  @Test func `a query with more values than SQLite accepts throws an error`() async throws {
    let names = (0..<20_000).map(String.init)
    await #expect(throws: PersistenceError.self) {
      try await container.newContext().perform { try $0.count(Show.self, where: { $0.name.isIn(names) }) }
    }
  }

  @Test func `a UInt64 that cannot be stored equals no stored value, and ordering by it fails`() async throws {
    let container = try await PersistentContainer(at: .inMemory, schema: Schema(Everything.self))
    try await container.newContext().perform { (objects) throws in
      _ = objects.insert(Everything.self)
      #expect(try objects.count(Everything.self, where: { $0.uint64 == .max }) == 0)
      #expect(try objects.count(Everything.self, where: { $0.uint64 != .max }) == 1)
      #expect(throws: PersistenceError.self) { try objects.count(Everything.self, where: { $0.uint64 < .max }) }
    }
  }

  @Test func `queries support attributes of every type`() async throws {
    let container = try await PersistentContainer(at: .inMemory, schema: Schema(Everything.self))
    try await container.newContext().perform { (objects) throws in
      let it = objects.insert(Everything.self)
      (it.decimal, it.uuid, it.date) = (-12.5, UUID(), Date())
      (it.maybeDecimal, it.data, it.address) = (3, Data([0, 1]), Address(street: "Elm"))
      let query = Query<Everything> {
        $0.decimal == it.decimal && $0.decimal < -12 && $0.maybeDecimal > -1 && $0.uuid == it.uuid && $0.date <= it.date
          && $0.data == Data([0, 1]) && $0.address == Address(street: "Elm")
      }
      let more = Query<Everything> {
        $0.kind == .film && $0.level == .low && $0.url == it.url && $0.int8 >= 0 && $0.float < 0.5
          && $0.maybeData == nil
      }
      #expect(try objects.count(Everything.self, matching: query && more) == 1)
      #expect(try query.matches(it) && more.matches(it))
    }
  }
}
