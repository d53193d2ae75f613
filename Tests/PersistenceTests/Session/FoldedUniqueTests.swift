import Foundation
import Testing

@testable import Persistence

private enum Before {
  final class Visitor: ManagedObject {
    @Attribute var email: String?
    @Attribute var name = ""
  }
}

private final class Visitor: ManagedObject {
  @Attribute(.uniqueFolded) var email: String?
  @Attribute var name = ""
  @ToMany(inverse: \Visit.visitor) var visits: RelatedObjects<Visit>
}

private final class Visit: ManagedObject {
  @Attribute(.unique) var number = 0
  @Attribute var place = ""
  @Attribute var code = ""
  @Attribute var isOpen = true
  @ToOne var visitor: Visitor?
  override class var indexes: [AttributeIndex] {
    [
      .unique(\Visit.visitor, folding: \Visit.place),
      .unique(folding: \Visit.code, where: { $0.isOpen && $0.code != "" }),
    ]
  }
}

/// Texts that must be unique without regard to case and diacritics.
@Suite struct FoldedUniqueTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private func open(_ inMemory: Bool = true) async throws -> PersistentContainer {
    let schema = Schema(Visitor.self, Visit.self)
    let container = try await PersistentContainer(at: inMemory ? .inMemory : .file(store.file), schema: schema)
    try await container.newContext().persist { objects in
      for email in ["Anna@x.org", "bob@x.org", "Zoë@x.org"] { objects.insert(Visitor.self).email = email }
      for _ in 0..<2 { objects.insert(Visitor.self).name = "nil is not a value" }
    }
    return container
  }

  private func violation(_ body: () throws -> Void) -> UniquenessViolation? {
    do { try body() } catch {
      guard case .notUnique(let violation) = error as? PersistenceError else { return nil }
      return violation
    }
    return nil
  }

  private func emails(_ container: PersistentContainer) async throws -> [String] {
    try await container.newContext().perform { objects in
      try objects.fetch(Visitor.self, where: { $0.email != nil }).compactMap(\.email)
    }
  }

  @Test(arguments: [true, false]) @MainActor
  func `a text that differs only in case or diacritics is not unique, until it is corrected`(_ inMemory: Bool)
    async throws
  {
    let container = try await open(inMemory)
    let view = container.viewContext
    for email in ["anna@X.ORG", "zoe@x.org", "BOB@x.org"] {
      let visitor = view.insert(Visitor.self)
      visitor.email = email
      let found = violation { try view.save() }
      #expect(found?.type == "Visitor" && found?.attributes == ["email"] && found?.id == visitor.id.rawValue)
      // The pending object is found by its own text and by the folded one.
      #expect(try view.fetch(Visitor.self, where: { $0.email == email }) == [visitor])
      #expect(try view.count(Visitor.self, where: { $0.email.folded == email }) == 2)
      visitor.email = "another " + email
      try view.save()
    }
    let anna = try #require(try view.first(Visitor.self, where: { $0.email.folded == "ANNA@x.org" }))
    #expect(anna.email == "Anna@x.org")
    anna.email = "ANNA@x.org"
    try view.save()
    anna.email = "zoe@x.org"
    #expect(violation { try view.save() }?.id == anna.id.rawValue)
    view.rollback()
    #expect(try await emails(container).prefix(3) == ["ANNA@x.org", "bob@x.org", "Zoë@x.org"])
  }

  @Test(arguments: [true, false], [true, false])
  func `texts can be swapped, and moved to other objects, in one save`(_ inMemory: Bool, fetching: Bool) async throws {
    let container = try await open(inMemory)
    try await container.newContext().persist { objects in
      let all = try objects.fetch(Visitor.self)
      (all[0].email, all[1].email) = ("BOB@x.org", "ANNA@x.org")
      if fetching { #expect(try objects.count(Visitor.self) == 5) }
    }
    #expect(try await emails(container) == ["BOB@x.org", "ANNA@x.org", "Zoë@x.org"])
    try await container.newContext().persist { objects in
      let all = try objects.fetch(Visitor.self)
      let new = objects.insert(Visitor.self)
      new.email = "Bob@x.org"
      if fetching { #expect(try objects.fetch(Visitor.self, where: { $0.email.folded == "bob@x.org" }) == [all[0]]) }
      (all[0].email, all[1].email, all[2].email) = ("ZOE@x.org", "anna@X.org", "carl@x.org")
      if fetching { #expect(try objects.fetch(Visitor.self, where: { $0.email.folded == "bob@x.org" }) == [new]) }
    }
    #expect(try await emails(container) == ["ZOE@x.org", "anna@X.org", "carl@x.org", "Bob@x.org"])
    try await container.newContext().persist { objects in
      objects.insert(Visitor.self).email = "CARL@x.org"
      if fetching { _ = try objects.fetch(Visitor.self) }
      objects.delete(try #require(try objects.first(Visitor.self, where: { $0.email == "carl@x.org" })))
    }
    #expect(try await emails(container).last == "CARL@x.org")
  }

  @Test @MainActor func `objects are found or inserted by the folded text, also beside pending edits`() async throws {
    let view = try await open(false).viewContext
    let objects = try view.objects
    let anna = try #require(try view.first(Visitor.self))
    var found = try objects.findOrInsert(Visitor.self, \.email, "ANNA@X.org")
    #expect(found.object == anna && !found.isInserted && anna.email == "Anna@x.org")
    found = try objects.findOrInsert(Visitor.self, \.email, "Émile@x.org")
    #expect(found.isInserted && found.object.email == "Émile@x.org")
    #expect(try objects.findOrInsert(Visitor.self, \.email, "emile@x.org").object == found.object)
    anna.email = "renamed@x.org"
    let all = try objects.findOrInsert(
      Visitor.self, \.email, ["EMILE@x.org", "Renamed@x.org", "new@x.org", "NEW@x.org", "zoë@x.org"])
    #expect(all[0] == found.object && all[1] == anna && all[2] == all[3] && all[2].email == "new@x.org")
    #expect(all[4].email == "Zoë@x.org")
    let visit = try objects.findOrInsert(Visit.self, [.set(\.place, to: "Café"), .set(\.visitor, to: anna)]).object
    #expect(
      try objects.findOrInsert(Visit.self, [.set(\.visitor, to: anna), .set(\.place, to: "CAFE")]).object == visit)
    try view.save()
    #expect(try view.fetch(Visitor.self).count == 7 && visit.place == "Café")
  }

  @Test func `an import finds objects by the folded text, and stores the text of the row`() async throws {
    let container = try await open()
    let report = try await container.newContext().persist { objects in
      let held = try objects.fetch(Visitor.self)
      let rows = ["ANNA@x.org", "carl@x.org", "zoe@x.org", "CARL@x.org"] + (0..<20).map { "\($0)@x.org" }
      let report = try objects.import(
        rows, into: Visitor.self, matching: \.email, [.set(\.email) { $0 }, .set(\.name) { "named \($0)" }])
      #expect(held[0].email == "ANNA@x.org" && held[0].name == "named ANNA@x.org")
      _ = try objects.import(
        ["Bob@X.org", "CARL@x.org"], into: Visit.self, matching: \.number,
        [.set(\.number) { $0.utf8.count }, .set(\.visitor, matching: \.email) { $0 }])
      return report
    }
    #expect(report.rows == 24 && report.inserted == 21)
    #expect(try await emails(container).prefix(4) == ["ANNA@x.org", "bob@x.org", "zoe@x.org", "CARL@x.org"])
    let visitors = try await container.newContext().perform { try $0.fetch(Visit.self).map { $0.visitor?.email } }
    #expect(visitors == ["bob@x.org", "CARL@x.org"])
  }

  @Test func `a combination, or objects that match a condition, can be unique by folded texts`() async throws {
    let context = try await open().newContext()
    func add(_ number: Int, _ place: String, _ code: String = "", isOpen: Bool = true) async throws {
      try await context.persist { objects in
        let visit = objects.insert(Visit.self)
        (visit.number, visit.place, visit.code, visit.isOpen) = (number, place, code, isOpen)
        visit.visitor = try objects.first(Visitor.self)
      }
    }
    try await add(1, "Café", "a")
    try await add(2, "Bar", "A", isOpen: false)
    try await add(3, "Bistro")
    try await add(4, "Bistró 2")
    for (place, code, attributes) in [("CAFE", "b", ["visitor", "place"]), ("new", "Á", ["code"])] {
      await #expect {
        try await add(5, place, code)
      } throws: { error in
        guard case .notUnique(let violation) = error as? PersistenceError else { return false }
        return violation.type == "Visit" && violation.attributes == attributes
      }
    }
    // Opening one and closing the other swaps which of them counts.
    try await context.persist { objects in
      let visits = try objects.fetch(Visit.self)
      (visits[1].isOpen, visits[0].isOpen) = (true, false)
      (visits[0].place, visits[1].place) = ("bar", "cafe")
    }
    #expect(try await context.perform { try $0.fetch(Visit.self).map(\.place) }.prefix(2) == ["bar", "cafe"])
  }

  @Test func `of two contexts that save the same text, the second one fails`() async throws {
    let container = try await open(false)
    let context = container.newContext()
    _ = try await context.perform { $0.insert(Visitor.self).email = "Dora@x.org" }
    try await container.newContext().persist { $0.insert(Visitor.self).email = "dora@x.org" }
    await #expect {
      try await context.persist { _ in }
    } throws: { error in
      guard case .notUnique(let violation) = error as? PersistenceError else { return false }
      return violation.attributes == ["email"]
    }
  }

  @Test func `a migration makes texts unique, or names those that are not`() async throws {
    for (emails, isUnique) in [(["Anna@x.org", "ANNA@x.org"], false), (["Anna@x.org", "bob@x.org"], true)] {
      let file = store.folder.appending(path: "\(isUnique).db")
      do {
        let old = try await PersistentContainer(at: .file(file), schema: Schema(Before.Visitor.self))
        try await old.newContext().persist { objects in
          for email in emails { objects.insert(Before.Visitor.self).email = email }
        }
        await old.close()
      }
      let schema = Schema(Visitor.self, Visit.self)
      do {
        let new = try await PersistentContainer(at: .file(file), schema: schema)
        #expect(isUnique)
        let found = try await new.newContext().persist {
          try $0.findOrInsert(Visitor.self, \.email, "anna@x.org").isInserted
        }
        #expect(!found)
      } catch {
        guard case .migrationFailed(let failure) = error, case .notUnique(let names) = failure.reason else {
          throw error
        }
        #expect(!isUnique && names == "Visitor.email")
      }
    }
  }

  @Test func `the store has one index for the folded text, which queries use`() async throws {
    _ = try await open(false)
    let connection = try Connection(StorePlace(.file(store.file)), StoreConfiguration())
    let indexes = try connection.statement("SELECT name FROM sqlite_schema WHERE type='index' ORDER BY name")
    var names: [String] = []
    while try indexes.step() { names.append(indexes.text(0)) }
    #expect(names.filter { $0.hasPrefix("Visitor") } == ["Visitor.email.folded"])
    #expect(names.contains("Visit.visitor.place.folded") && names.contains("Visit.place.folded."))
  }

  @Test func `a store in which another program wrote only a text that is not unique can be salvaged`() async throws {
    await (try open(false)).close()
    let plain = try Connection(StorePlace(.file(store.file)), StoreConfiguration())
    try plain.execute("UPDATE Visitor SET email='ANNA@x.org' WHERE email='bob@x.org'")
    let target = store.folder.appending(path: "salvaged.db")
    let report = try await PersistentContainer.salvage(
      store.file, to: target, schema: Schema(Visitor.self, Visit.self))
    #expect(report.tables.map(\.rows).max() == 5)
    let salvaged = try await PersistentContainer(at: .file(target), schema: Schema(Visitor.self, Visit.self))
    #expect(try await emails(salvaged) == ["Anna@x.org", "ANNA@x.org", "Zoë@x.org"])
  }

  @Test func `only texts can be unique when they are folded`() async throws {
    final class Counter: ManagedObject {
      @Attribute(.uniqueFolded) var count = 0
    }
    final class Sum: ManagedObject {
      @Attribute var value = 0.5
      override class var indexes: [AttributeIndex] { [.unique(folding: \Sum.value)] }
    }
    await #expect {
      try await PersistentContainer(at: .inMemory, schema: Schema(Counter.self, Sum.self))
    } throws: { error in
      guard case .invalidSchema(let violations) = error as? PersistenceError else { return false }
      return violations.map(\.property) == ["count", "value"]
    }
  }
}
