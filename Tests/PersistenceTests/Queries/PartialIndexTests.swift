import Foundation
import Testing

@testable import Persistence

private final class Vessel: ManagedObject {
  @ToMany(inverse: \Berth.vessel) var berths: RelatedObjects<Berth>
}

/// The numbers of berths without a vessel are unique.
private final class Berth: ManagedObject {
  @Attribute var number = 0
  @ToOne var vessel: Vessel?
  override class var indexes: [AttributeIndex] { [.unique(\Berth.number, where: { $0.vessel == nil })] }
}

private enum Stricter {
  final class Account: ManagedObject {
    @Attribute var email = ""
    @Attribute var isClosed = false
    @Attribute var note = ""

    override class var indexes: [AttributeIndex] {
      [.unique(\Account.email, where: { !$0.isClosed && $0.note != "test" })]
    }
  }
}

private enum Whole {
  final class Account: ManagedObject {
    @Attribute var email = ""
    @Attribute var isClosed = false
    @Attribute var note = ""
  }
}

private enum Renamed {
  final class Account: ManagedObject {
    @Attribute var address = ""
    @Attribute var isGone = false
    @Attribute var note = ""

    override class var indexes: [AttributeIndex] { [.unique(\Account.address, where: { !$0.isGone })] }
  }
}

private final class Wrong: ManagedObject {
  @Attribute var text = ""
  @Attribute var number = 0.0
  @ToOne(inverse: \Wrong.others) var other: Wrong?
  @ToMany var others: RelatedObjects<Wrong>

  // nonisolated(unsafe): set only by tests of one suite, which is serialized.
  nonisolated(unsafe) static var condition: (Row<Wrong>) -> Query<Wrong> = { $0.text == "" }

  override class var indexes: [AttributeIndex] { [.on(\Wrong.text, where: condition)] }
}

/// Indexes that contain only the objects that match a condition.
@Suite(.serialized) struct PartialIndexTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private func chores() async throws -> PersistentContainer {
    let container = try await store.open(Chore.self)
    try await container.newContext().persist { objects in
      for number in 0..<2000 {
        let chore = objects.insert(Chore.self)
        chore.name = "n\(number)"
        chore.isDone = number % 40 != 0
        chore.mood = number % 40 == 1 ? .upset : .calm
        chore.effort = number % 200
        chore.deadline = number % 3 == 0 ? nil : Date(timeIntervalSince1970: Double(number))
        chore.area = number % 100 == 4 ? "ki'tchen %\"_" : "a\(number % 7)"
        chore.price = number % 50 == 0 ? Double(number) : 0.5
        chore.isUrgent = number % 300 == 0
      }
    }
    return container
  }

  @Test func `a query with the condition of an index uses the index, and others do not`() async throws {
    let container = try await chores()
    let soon = Date(timeIntervalSince1970: 500)
    let queries: [(name: String, isIndexed: Bool, Query<Chore>)] = [
      ("deadline. where isDone", true, Query { !$0.isDone && $0.deadline < soon }),
      ("deadline. where isDone", true, Query { $0.isDone == false && $0.deadline < soon }),
      ("deadline. where isDone", true, Query(#Predicate { !$0.isDone && $0.deadline == soon })),
      ("deadline. where isDone", false, Query { $0.isDone && $0.deadline < soon }),
      ("effort. where mood", true, Query { $0.mood == .upset && $0.effort == 81 }),
      ("effort. where mood", false, Query { $0.mood == .calm && $0.effort == 81 }),
      ("effort. where deadline", true, Query { $0.deadline != nil && $0.effort == 4 && $0.area.hasPrefix("ki'") }),
      ("effort. where deadline", true, Query { $0.deadline > soon && $0.effort == 4 && $0.area.hasPrefix("ki'") }),
      ("effort. where deadline", false, Query { $0.deadline > soon && $0.effort == 4 && $0.area.hasPrefix("ki") }),
      ("name. where effort", true, Query { $0.name == "n3" && $0.effort.isIn([3, 5]) }),
      ("name. where effort", false, Query { $0.name == "n3" && $0.effort.isIn([3, 6]) }),
      ("area. where", true, Query { ($0.price > 1.25 || $0.isUrgent == true) && $0.area == "a1" }),
      ("area. where", false, Query { ($0.price > 1.5 || $0.isUrgent == true) && $0.area == "a1" }),
      ("price. where parent", true, Query { $0.parent == nil && $0.area.contains("%\"_") && $0.price == 0.5 }),
      (
        "price. where mood", true,
        Query { $0.price == 3 && $0.mood.isIn([.calm, .upset]) && $0.effort > 2 && $0.effort > 4 }
      ),
      ("price. where mood", false, Query { $0.price == 3 && $0.mood.isIn([.calm, .upset]) && $0.effort > 2 }),
    ]
    try await container.newContext().perform { (objects) throws in
      let all = try objects.fetch(Chore.self)
      for (number, (name, isIndexed, query)) in queries.enumerated() {
        let explanation = try objects.explainSQL(FetchDescriptor(Chore.self, matching: query))
        #expect(explanation.plan.contains { $0.contains(name) } == isIndexed, "\(number): \(explanation)")
        #expect(try objects.fetch(Chore.self, matching: query) == all.filter { try query.matches($0) }, "\(number)")
      }
    }
  }

  @Test func `conditions with canonically equivalent texts are different conditions`() async throws {
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    let container = try await store.open(Accent.self)
    try await container.newContext().persist { objects in
      for name in [composed, decomposed] { objects.insert(Accent.self).name = name }
    }
    for names in [[composed, decomposed], [decomposed, composed]] {
      // A new context has no plans yet.
      try await container.newContext().perform { objects in
        for name in names {
          let found = try objects.fetch(Accent.self, where: { $0.name == name })
          #expect(found.map { Array($0.name.utf8) } == [Array(name.utf8)])
        }
      }
    }
    for name in [composed, decomposed] {
      await #expect(throws: PersistenceError.self) {
        try await container.newContext().persist { $0.insert(Accent.self).name = name }
      }
    }
  }

  @Test func `a condition with thousands of parts can be used on a class with conditional indexes`() async throws {
    let container = try await chores()
    try await container.newContext().perform { objects in
      var parts = (0..<4096).map { number in Query<Chore> { $0.effort != 1000 + number } }
      while parts.count > 1 {
        parts = stride(from: 0, to: parts.count, by: 2).map { parts[$0] && parts[$0 + 1] }
      }
      let indexed = Query<Chore> { $0.mood == .upset && $0.effort == 81 }
      let counts = try [parts[0], parts[0] && indexed].map { try objects.count(FetchDescriptor(matching: $0)) }
      #expect(counts == [2000, 10])
    }
  }

  @Test func `queries with and without the condition of an index share no plan`() async throws {
    let container = try await chores()
    try await container.newContext().perform { (objects) throws in
      for effort in [1, 81, 1, 81] {
        for mood in Mood.allCases {
          let query = Query<Chore> { $0.mood == mood && $0.effort == effort }
          let all = try objects.fetch(Chore.self).filter { $0.mood == mood && $0.effort == effort }
          #expect(try objects.fetch(Chore.self, matching: query) == all)
          #expect(
            try objects.count(Chore.self, where: { query && $0.effort > 2 && $0.effort > 4 })
              == all.count { $0.effort > 4 })
        }
      }
    }
  }

  @Test func `values are unique among the objects that match the condition of a unique index`() async throws {
    let container = try await store.open(Account.self)
    let ids = try await container.newContext().persist { objects in
      ["open", "closed", "closed too"].map { note in
        let account = objects.insert(Account.self)
        (account.email, account.note, account.isClosed) = ("a@b.example", note, note != "open")
        return account.id
      }
    }
    await #expect {
      try await container.newContext().persist { objects in try objects.object(ids[1]).isClosed = false }
    } throws: { error in
      guard case .notUnique(let violation) = error as? PersistenceError else { return false }
      return violation.attributes == ["email"] && violation.id == ids[1].rawValue
    }
    await #expect(throws: PersistenceError.self) {
      try await container.newContext().persist { $0.insert(Account.self).email = "a@b.example" }
    }
    // The new owner is written before the old one.
    try await container.newContext().persist { objects in
      try objects.object(ids[2]).isClosed = false
      try objects.object(ids[0]).isClosed = true
    }
    try await container.newContext().persist { objects in
      let account = objects.insert(Account.self)
      account.email = "a@b.example"
      _ = try objects.count(Account.self)
      try objects.object(ids[2]).isClosed = true
    }
    try await container.newContext().perform { (objects) throws in
      #expect(
        try objects.values(of: \Account.isClosed, in: FetchDescriptor(Account.self)) == [true, true, true, false])
      #expect(throws: PersistenceError.self) { try objects.findOrInsert(Account.self, \.email, "a@b.example") }
    }
  }

  @Test func `a bulk deletion that moves objects into a unique index names the attribute`() async throws {
    let container = try await store.open(Berth.self, Vessel.self)
    try await container.newContext().persist { objects in
      for number in [1, 1, 2] {
        let berth = objects.insert(Berth.self)
        (berth.number, berth.vessel) = (number, objects.insert(Vessel.self))
      }
    }
    await #expect {
      try await container.newContext().persist { _ = try $0.delete(Vessel.self, matching: .all) }
    } throws: { error in
      guard case .notUnique(let violation) = error as? PersistenceError else { return false }
      return violation.type == "Berth" && violation.attributes == ["number"]
    }
    #expect(try await container.newContext().perform { try $0.count(Vessel.self) } == 3)
  }

  @Test func `a changed condition of an index is a step of a migration`() async throws {
    try await store.open(Whole.Account.self).newContext().persist { objects in
      for note in ["test", "test"] { objects.insert(Whole.Account.self).note = note }
    }
    await #expect(throws: PersistenceError.self) { _ = try await store.open(Account.self) }
    let preview = try await PersistentContainer.previewMigration(at: store.file, schema: Schema(Stricter.Account.self))
    #expect(
      preview.steps.map(\.text) == [
        #"add a unique index to Account: email where "isClosed" = (0) AND "note" <> 'test'"#
      ])
    #expect(try await store.open(Stricter.Account.self).migration?.steps.count == 1)
    #expect(try await store.open(Stricter.Account.self).migration == nil)
    try await store.open(Stricter.Account.self).newContext().persist { objects in
      try objects.fetch(Stricter.Account.self)[1].email = "other"
    }
    let steps = try await store.open(Account.self).migration?.steps.map(\.text) ?? []
    #expect(steps.count == 2 && steps[0].hasPrefix("remove the index Account.email where"), "\(steps)")
    let renamed = Schema(Renamed.Account.self).version(
      2,
      [
        .rename("isClosed", of: "Account", to: "isGone", in: 2), .rename("email", of: "Account", to: "address", in: 2),
      ])
    let container = try await PersistentContainer(at: .file(store.file), schema: renamed)
    #expect(container.migration?.steps.count == 2)
    await #expect(throws: PersistenceError.self) {
      try await container.newContext().persist { $0.insert(Renamed.Account.self).address = "other" }
    }
    #expect(try await PersistentContainer(at: .file(store.file), schema: renamed).migration == nil)
  }

  @Test func `conditions that the file cannot contain are refused with the schema`() async throws {
    let wrong: [(Row<Wrong>) -> Query<Wrong>] = [
      { $0.text.folded == "a" }, { $0.text.hasSuffix("a") }, { $0.other.text == "a" }, { $0.others.isEmpty },
      { $0.others.contains { $0.text == "" } }, { $0.text == "a\u{0}" }, { $0.number > .nan },
      { $0.id == ObjectID(rawValue: 1) },
    ]
    for (number, condition) in wrong.enumerated() {
      Wrong.condition = condition
      do {
        _ = try await PersistentContainer(at: .inMemory, schema: Schema(Wrong.self))
        Issue.record("condition \(number) was accepted")
      } catch {
        guard case .invalidSchema(let problems) = error else { throw error }
        #expect(problems.count == 1 && problems[0].type == "Wrong" && problems[0].text.hasPrefix("an index: "))
      }
    }
  }

  @Test func `a number that SQLite would read as another one is refused in the condition of an index`() async throws {
    for number in [0.1, 0.1 + 0.2, 2_259_684.04574976, 0.0215312578573828, 3.89618485627517e-305, 1.679872934611985e22]
    {
      let isExact = StoredValue.real(number).isLiteralExact
      for condition: (Row<Wrong>) -> Query<Wrong> in [{ $0.number > number }, { $0.number.isIn([1, number]) }] {
        Wrong.condition = condition
        do {
          _ = try await PersistentContainer(at: .inMemory, schema: Schema(Wrong.self))
          #expect(isExact, "\(number)")
        } catch {
          guard case .invalidSchema(let problems) = error else { throw error }
          #expect(!isExact)
          #expect(problems.map(\.text).joined().contains("\(number)"), "\(problems)")
        }
      }
    }
    #expect(StoredValue.real(0.1).isLiteralExact)
  }

  @Test func `before a query counts related rows, it tries the indexes of its own class, of every kind`() throws {
    let schema = Schema(Sailor.self, Shanty.self)
    #expect(schema.problems.isEmpty)
    let entity = try #require(schema.entities.first { $0.name == "Shanty" })
    let queries: [(Query<Shanty>, [[Int]])] = [
      (Query { $0.sailor.name == "X" && $0.title == "t" }, [[1]]),
      (Query { $0.sailor.name == "X" && $0.title.folded == "t" }, [[1]]),
      (Query { $0.sailor.name == "X" && $0.title.folded.hasPrefix("t") }, [[1]]),
      (Query { $0.sailor.name == "X" && $0.code == "t" }, []),
      (Query { $0.sailor.name == "X" && $0.code == "t" && !$0.isGone }, [[1, 2]]),
      (Query { $0.sailor.name == "X" && !$0.isGone }, []),
      (Query { $0.sailor.name == "X" && $0.code == "t" && $0.size > 1 && $0.size > 2 }, []),
      (Query { $0.sailor.name == "X" && $0.cover.format == "LP" }, [[1]]),
      (Query { $0.sailor.name == "X" && $0.cover.format == "LP" && $0.size > 3 }, [[1, 2]]),
      (Query { $0.sailor.name == "X" && $0.cover.label == "L" }, []),
      (Query { $0.sailor.name == "X" && $0.size > 3 }, []),
    ]
    for (number, (query, expected)) in queries.enumerated() {
      var generator = SQLGenerator(entity, alias: "t0")
      #expect(try generator.conjuncts(query.scoped.expression).indexed(in: entity) == expected, "query \(number)")
    }
  }

  @Test func `names in SQL are found and replaced outside of texts only`() {
    let sql = #"("a" = 'it''s "a"' AND "b""c" < "A" AND x'00' = "a")"#
    #expect(SQL.names(in: sql) == ["a", "b\"c", "A", "a"])
    #expect(SQL.renaming("a", to: "z\"", in: sql) == #"("z""" = 'it''s "a"' AND "b""c" < "A" AND x'00' = "z""")"#)
    #expect(SQL.renaming("b\"c", to: "d", in: sql) == #"("a" = 'it''s "a"' AND "d" < "A" AND x'00' = "a")"#)
    #expect(SQL.names(in: "1").isEmpty)
  }
}
