import Foundation
import Testing

@testable import Persistence

/// Queries beside pending changes have the same results as after the changes are saved, and write nothing.
@Suite struct PendingQueryTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  /// A query whose result is compared as a text.
  struct Form: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let run: @Sendable (ObjectSpace) throws -> String

    init(_ name: String, _ run: @escaping @Sendable (ObjectSpace) throws -> some Any) {
      testDescription = name
      self.run = { "\(try run($0))" }
    }
  }

  static let forms: [Form] = [
    Form("all") { try $0.fetch(Feature.self).map(\.id) },
    Form("by an index") { try $0.fetch(Feature.self, where: { $0.year == 1993 }).map(\.id) },
    Form("a range, sorted, with bounds") {
      try $0.fetch(
        FetchDescriptor(
          where: { $0.year > 1992 }, sort: [.descending(\Feature.rating), .ascending(\.title)], limit: 7, offset: 2)
      ).map(\.id)
    },
    Form("sorted by a decimal") { try $0.fetch(Feature.self, sort: \.gross).map { ($0.id, $0.gross) } },
    Form("sorted by a to-one's name") {
      try $0.fetch(FetchDescriptor(Feature.self, sort: [.descending { $0.maker.name.optional }])).map(\.id)
    },
    Form("sorted by a count") {
      try $0.fetch(FetchDescriptor(Feature.self, sort: [.descending { $0.tags.count }], limit: 9)).map(\.id)
    },
    Form("a folded text") {
      try $0.fetch(Feature.self, where: { $0.title.folded.contains("REEL e3") || $0.title == "new" }).map(\.id)
    },
    Form("a to-one's attribute") { try $0.fetch(Feature.self, where: { $0.maker.name == "house 1" }).map(\.id) },
    Form("a to-one of a to-one") { try $0.fetch(Feature.self, where: { $0.sequel.maker.name == "house 2" }).map(\.id) },
    Form("a one-to-one from the other side") { try $0.fetch(Feature.self, where: { $0.prequel.year > 1 }).map(\.id) },
    Form("members that match") {
      try $0.fetch(ReelHouse.self, where: { $0.reels.contains { $0.year == 1994 } }).map(\.id)
    },
    Form("members of members") {
      try $0.fetch(ReelHouse.self, where: { $0.reels.contains { $0.tags.contains { $0.name == "tag 2" } } }).map(\.id)
    },
    Form("all members match") {
      try $0.fetch(ReelTag.self, where: { $0.reels.allSatisfy { $0.year > 1990 } }).map(\.id)
    },
    Form("a count of pairs") { try $0.fetch(Feature.self, where: { $0.tags.count == 2 }).map(\.id) },
    Form("a count with a condition") {
      try $0.fetch(ReelHouse.self, where: { $0.reels.count(where: { $0.rating > 4 }) >= 2 }).map(\.id)
    },
    Form("aggregates of members") {
      try $0.values(in: FetchDescriptor(ReelHouse.self)) {
        ($0.reels.sum { $0.year }, $0.reels.maximum { $0.rating }, $0.reels.average { $0.year }, $0.reels.count)
      }
    },
    Form("count") { (try $0.count(Feature.self), try $0.count(Feature.self, where: { $0.maker.name == "house 1" })) },
    Form("count with bounds") { try $0.count(FetchDescriptor(Feature.self, sort: [.ascending(\.year)], limit: 5)) },
    Form("exists") { try $0.exists(Feature.self, where: { $0.title == "new" }) },
    Form("ids") { try $0.fetchIDs(FetchDescriptor(where: { $0.rating == nil }, sort: [.descending(\Feature.year)])) },
    Form("values") {
      try $0.values(of: \Feature.title, in: FetchDescriptor(Feature.self, sort: [.ascending(\.title)]))
    },
    Form("distinct values") { try $0.distinctValues(of: \Feature.year) },
    Form("aggregates") {
      (
        try $0.aggregate(over: FetchDescriptor(Feature.self)) { $0.sum { $0.year } },
        try $0.aggregate(over: FetchDescriptor(Feature.self)) { $0.maximum { $0.rating } },
        try $0.aggregate(over: FetchDescriptor(where: { $0.tags.count > 1 }) as FetchDescriptor<Feature>) { $0.count }
      )
    },
    Form("groups of an attribute") {
      try $0.groups(in: FetchDescriptor(Feature.self), by: { $0.year }, of: { $0.count }).map { "\($0)" }
    },
    Form("groups of terms") {
      try $0.groups(
        by: { (row: Row<Feature>) in (row.maker.name.optional, row.year) }, having: { $0.count > 0 },
        of: { ($0.count, $0.average { $0.rating }) })
    },
    Form("groups of a bounded request") {
      try $0.groups(
        in: FetchDescriptor(Feature.self, sort: [.descending(\.year)], limit: 8), by: { $0.year }, of: { $0.count })
    },
    Form("with terms") {
      try $0.fetch(FetchDescriptor(Feature.self), with: { ($0.maker.name.optional, $0.tags.count) }).map {
        ($0.object.id, $0.values)
      }
    },
    Form("prefetched") {
      try $0.fetch(FetchDescriptor(ReelHouse.self).prefetching(\.reels)).map { $0.reels.map(\.id) }
    },
    Form("members, in their order") {
      (
        try $0.fetch(ReelHouse.self).map { $0.reels.map(\.id) }, try $0.fetch(Feature.self).map { $0.tags.map(\.id) },
        try $0.fetch(ReelTag.self).map { Set($0.reels.map(\.id.rawValue)).sorted() }
      )
    },
    Form("counts and firsts of members") {
      (
        try $0.fetch(ReelHouse.self).map { ($0.reels.count, $0.reels.first?.id) },
        try $0.fetch(Feature.self).map { ($0.tags.count, $0.tags.first?.id) }
      )
    },
    Form("targets") { try $0.fetch(Feature.self).map { ($0.maker?.id, $0.sequel?.id, $0.prequel?.id) } },
    Form("streamed") { objects in
      var ids: [Int64] = []
      try objects.forEach(FetchDescriptor(where: { $0.year != 1991 }, sort: [.ascending(\Feature.title)])) {
        ids.append($0.id.rawValue)
      }
      return ids
    },
    Form("a search") { try $0.search(Feature.self, SearchText("heists")).map(\.id.rawValue).sorted() },
    Form("a search of one attribute") { try $0.search(Feature.self, SearchText("reel")).map(\.id.rawValue).sorted() },
    Form("members found by a search") {
      try $0.fetch(ReelHouse.self, where: { $0.reels.contains { $0.matches(SearchText("heists")) } }).map(\.id)
    },
    Form("highlights") { objects in
      try objects.fetch(Feature.self).map {
        try objects.highlights(of: SearchText("heists"), in: $0, \.plot).ranges.count
      }
    },
    Form("SQL") {
      try $0.select(
        """
        SELECT m.name, count(*), max(r.year) FROM \(Feature.self) r JOIN \(ReelHouse.self) m ON m._id = r.maker GROUP BY m._id
        """, as: (String, Int, Int).self)
    },
    Form("SQL over pairs") {
      try $0.select(
        "SELECT ReelTag, group_concat(Feature) FROM (SELECT * FROM `Feature.tags+ReelTag.reels` ORDER BY Feature) GROUP BY 1",
        as: (Int, String).self)
    },
    Form("find or insert") { try $0.findOrInsert(Feature.self, \.number, [1, 2, 25]).map(\.id) },
    Form("by id") { objects in
      try (1...40).map { try objects.existingObject(ObjectID<Feature>(rawValue: $0))?.title }
    },
  ]

  /// A kind of change, by the tables that it makes pending.
  enum Change: CaseIterable, Sendable {
    case attribute, nothing, insertion, deletion, related, relatedDeletion, target, pairs, pairDeletion, order,
      pairOrder
    case partner, unique, everything
  }

  static func make(_ change: Change, _ objects: ObjectSpace) throws {
    let reels = try objects.fetch(Feature.self)
    let (makers, tags) = (try objects.fetch(ReelHouse.self), try objects.fetch(ReelTag.self))
    switch change {
    case .nothing: break
    case .attribute:
      for reel in reels.prefix(9) {
        (reel.year, reel.title, reel.plot) = (1994, "reel É3 changed", "two heists")
        (reel.rating, reel.gross) = (9.5, reel.gross + 1)
      }
    case .insertion:
      for number in 0..<3 {
        let reel = objects.insert(Feature.self)
        (reel.title, reel.year, reel.number) = ("new", 1993, Int64(100 + number))
        reel.plot = "heists"
        reel.maker = makers[number]
        reel.tags = [tags[number], tags[number + 1]]
      }
    case .deletion: for reel in reels[3..<8] { objects.delete(reel) }
    case .related: for maker in makers { maker.name = maker.name == "house 1" ? "house 2" : "house 1" }
    case .relatedDeletion: objects.delete(makers[1])
    case .target: for reel in reels.suffix(10) { reel.maker = makers[reel.year % makers.count] }
    case .pairs:
      reels[0].tags.insert(tags[4])
      reels[1].tags.insert(tags[0], at: 0)
      tags[2].reels.remove(reels[1])
      reels[9].tags.removeAll()
      for reel in tags[3].reels { reel.tags.remove(tags[3]) }
    case .pairDeletion: objects.delete(tags[2])
    case .order:
      makers[1].reels.move(fromOffsets: [0, 2], toOffset: 4)
      makers[2].reels.swapAt(0, 1)
    case .pairOrder: for reel in reels { reel.tags.move(fromOffsets: [0], toOffset: 2) }
    case .partner:
      for (reel, next) in zip(reels, reels.dropFirst(12)) { reel.sequel = next }
      reels[0].sequel = reels[20]
    case .unique:
      (reels[1].number, reels[2].number) = (nil, 1)
      reels[1].number = 2
    case .everything: for change in allCases where change != .everything { try make(change, objects) }
    }
  }

  private static var allCases: [Change] { Change.allCases }

  @Test(arguments: [false, true], Change.allCases)
  func `every form of query includes every kind of pending change`(isInMemory: Bool, change: Change) async throws {
    let schema = Schema(Feature.self, ReelHouse.self, ReelTag.self)
    let container = try await PersistentContainer(at: isInMemory ? .inMemory : .file(store.file), schema: schema)
    try await container.newContext().persist { $0.insertReels() }
    let context = container.newContext()
    let before = try await context.perform { objects in
      // Some relationships are in memory before the changes, and must not differ from the others.
      for maker in try objects.fetch(ReelHouse.self).prefix(2) { _ = Array(maker.reels) }
      try Self.make(change, objects)
      let results = try Self.forms.map { try $0.run(objects) }
      #expect(try results == Self.forms.map { try $0.run(objects) })
      return results
    }
    #expect(try await container.newContext().perform { try $0.count(Feature.self, where: { $0.title == "new" }) } == 0)
    try await context.persist { _ in }
    let after = try await container.newContext().perform { objects in try Self.forms.map { try $0.run(objects) } }
    for (form, (before, after)) in zip(Self.forms, zip(before, after)) {
      #expect(before == after, "\(form.testDescription)")
    }
  }

  @Test func `each step of a long row of changes is seen at once`() async throws {
    let container = try await store.open(Feature.self, ReelHouse.self, ReelTag.self)
    try await container.newContext().persist { $0.insertReels() }
    let context = container.newContext()
    try await context.perform { objects in
      for change in Change.allCases where change != .everything {
        try Self.make(change, objects)
        let fresh = try Self.forms.map { try $0.run(objects) }
        // Filled again from the lists of changes.
        objects.pendingRows.isStale = true
        let again = try Self.forms.map { try $0.run(objects) }
        for (form, (fresh, again)) in zip(Self.forms, zip(fresh, again)) {
          #expect(fresh == again, "\(change): \(form.testDescription)")
        }
      }
    }
  }

  @Test func `a query that reads nothing pending runs the same SQL as without changes`() async throws {
    let container = try await store.open(Feature.self, ReelHouse.self, ReelTag.self)
    try await container.newContext().persist { $0.insertReels() }
    try await container.newContext().perform { objects in
      let request = FetchDescriptor<Feature>(where: { $0.year == 1993 })
      let sql = try objects.explainSQL(request).sql
      try objects.fetch(ReelHouse.self)[0].name = "changed"
      #expect(try objects.explainSQL(request).sql == sql)
      #expect(
        try objects.explainSQL(FetchDescriptor<Feature>(where: { $0.maker.name == "changed" })).sql.contains("pending"))
      try objects.fetch(Feature.self)[0].year = 1993
      let plan = try objects.explainSQL(request)
      // Both parts use their indexes, and SQLite merges them in the order of the query.
      #expect(plan.plan.filter { $0.contains("USING INDEX") }.count == 2 && plan.plan[0].contains("MERGE"))
    }
  }

  @Test func `a query sees each of several increments`() async throws {
    let container = try await store.open(Guest.self, Party.self)
    try await container.newContext().persist { _ = $0.insert(Guest.self) }
    try await container.newContext().perform { objects in
      let guests = [try objects.fetch(Guest.self)[0], objects.insert(Guest.self)]
      for number in 1...3 {
        for guest in guests { try objects.increment(guest, \.visits) }
        #expect(try objects.count(Guest.self, where: { $0.visits == number }) == 2)
      }
    }
  }

  @Test func `a pair that another context adds or removes too is there once, or as it will be saved`() async throws {
    let container = try await store.open(Guest.self, Party.self)
    try await container.newContext().persist { objects in
      for _ in 0..<2 { objects.insert(Party.self).guests.insert(objects.insert(Guest.self)) }
    }
    let (context, other) = (container.newContext(), container.newContext())
    @Sendable func counts(_ objects: ObjectSpace) throws -> [Int] {
      try objects.values(in: FetchDescriptor(Party.self)) { $0.guests.count }
    }
    let before = try await context.perform { objects in
      let (guests, parties) = (try objects.fetch(Guest.self), try objects.fetch(Party.self))
      parties[0].guests.insert(guests[1])
      parties[1].guests.insert(guests[1])
      return try counts(objects)
    }
    #expect(before == [2, 1])
    try await other.persist { objects in
      let (guests, parties) = (try objects.fetch(Guest.self), try objects.fetch(Party.self))
      parties[0].guests.insert(guests[1])
      parties[1].guests.remove(guests[1])
    }
    let after = try await context.perform { objects in
      #expect(try objects.fetch(Party.self).map(\.guests.count) == counts(objects))
      return try counts(objects)
    }
    try await context.persist { _ in }
    #expect(try await container.newContext().perform { try counts($0) } == after)
  }

  @Test(arguments: [false, true])
  func `a stream goes on while its objects are edited and queried`(isInMemory: Bool) async throws {
    let schema = Schema(Feature.self, ReelHouse.self, ReelTag.self)
    let container = try await PersistentContainer(at: isInMemory ? .inMemory : .file(store.file), schema: schema)
    try await container.newContext().persist { $0.insertReels() }
    let context = container.newContext()
    let count = try await context.perform { objects in
      var request = FetchDescriptor<Feature>(where: { $0.maker.name != "nobody" }, sort: [.descending(\.year)])
      request.batchSize = 4
      let expected = try objects.fetchIDs(request)
      var ids: [ObjectID<Feature>] = []
      try objects.forEach(request) { reel in
        ids.append(reel.id)
        reel.title += "!"
        reel.maker?.name += "!"
        _ = objects.insert(Feature.self)
        _ = try objects.count(ReelHouse.self, where: { $0.reels.contains { $0.title == "x" } })
        _ = try objects.select("SELECT count(*) FROM Feature r JOIN ReelHouse h ON h._id=r.maker", as: Int.self)
      }
      #expect(ids == expected)
      return ids.count
    }
    try await context.persist { _ in }
    #expect(try await context.perform { try $0.count(Feature.self, where: { $0.title.hasSuffix("!") }) } == count)
  }

  @Test func `a query that fits SQLite's limits fits them beside pending changes too`() async throws {
    let container = try await store.open(Feature.self, ReelHouse.self, ReelTag.self)
    try await container.newContext().persist { $0.insertReels() }
    try await container.newContext().perform { objects in
      let request = FetchDescriptor<Feature>(where: {
        $0.sequel.sequel.sequel.sequel.sequel.sequel.sequel.maker.name == "changed"
      })
      let deep = { try objects.fetch(request).map(\.id.rawValue) }
      #expect(try deep() == [])
      let reels = try objects.fetch(Feature.self)
      for (reel, next) in zip(reels, reels.dropFirst()).prefix(9) { reel.sequel = next }
      reels[7].maker?.name = "changed"
      #expect(try deep().contains(reels[0].id.rawValue))
      #expect(try objects.count(request) == deep().count && objects.views.isEmpty)
      // The views are gone: the tables can be written.
      #expect(try objects.fetchIDs(request).count == deep().count)
    }
  }

  @Test func `SQL within the decoding of SQL sees the same pending rows`() async throws {
    let container = try await store.open(Feature.self, ReelHouse.self, ReelTag.self)
    try await container.newContext().persist { $0.insertReels() }
    let context = container.newContext()
    try await context.perform { objects in
      try objects.fetch(Feature.self)[0].title = "changed"
      NestedRow.inner.withLock {
        $0 = { try objects.select("SELECT count(*) FROM Feature WHERE title='changed'", as: Int.self) }
      }
      defer { NestedRow.inner.withLock { $0 = { [] } } }
      let rows = try objects.select("SELECT _id AS id FROM Feature ORDER BY title<>'changed'", as: NestedRow.self)
      #expect(rows.count == 30 && rows.allSatisfy { $0.count == 1 })
    }
    try await context.persist { _ in }
  }

  private struct NestedRow: Decodable {
    static let inner = Lock<() throws -> [Int]>({ [] })
    let count: Int

    init(from decoder: any Decoder) throws { count = try NestedRow.inner.withLock { try $0() }[0] }
  }

  @Test func `a refetch in an order of many rows reads few of them`() async throws {
    let container = try await store.open(Feature.self, ReelHouse.self, ReelTag.self)
    try await container.newContext().persist { $0.insertReels() }
    try await container.newContext().perform { objects in
      try objects.fetch(Feature.self)[0].year = 1993
      var texts: [String] = []
      let request = FetchDescriptor<Feature>(Feature.self, sort: [.ascending(\.year)], limit: 3)
      for text in [{ (plan: FetchPlan) in plan.all.sql }, { "SELECT t0._id\($0.keys)\($0.ordered)" }] {
        let plan = try objects.statement(for: request) {
          "EXPLAIN QUERY PLAN " + text($0)
        } body: {
          (statement) throws(PersistenceError) in
          var lines: [String] = []
          while try statement.step() { lines.append(statement.text(3)) }
          return lines
        }
        texts.append(plan.joined(separator: "; "))
      }
      #expect(texts.allSatisfy { $0.contains("MERGE") && !$0.contains("B-TREE FOR ORDER BY") })
    }
  }
}
