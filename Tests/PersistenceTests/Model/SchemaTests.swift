import Foundation
import Persistence
import Testing

private final class Lonely: ManagedObject {
  @ToMany var others: RelatedObjects<Movie>
}

private final class Stranger: ManagedObject {
  @ToOne var film: Film?
}

private final class Maker: ManagedObject {
  @Attribute var name = ""
  let helper = Movie()
}

private final class Clash: ManagedObject {
  @Attribute var title = ""
  @Attribute(.column("TITLE")) var subtitle = ""
  @Attribute(.column("_version")) var edition = 0
}

private enum First {
  final class Item: ManagedObject { @Attribute var name = "" }
}

private enum Second {
  final class Item: ManagedObject { @Attribute var title = "" }
}

/// A model class with a subclass, an `init` that assigns, and SQL keywords as names.
private class Base: ManagedObject {
  @Attribute var select = "base"
  @Attribute var `where`: Int?
  required init() {
    super.init()
    select = "from init"
  }
}

private final class Derived: Base {
  var note = "not stored"
  @Attribute(.column("a \"quoted\" name")) var quoted = "q"
  private let big = (1, 2.0, "three")
  @Attribute private(set) var guarded = true

  override func didInsert() {
    `where` = 7
    guarded = false
  }
}

/// Names that are SQL keywords, and columns that look like SQL.
private final class Order: ManagedObject {
  @Attribute(.unique) var index = 0
  @Attribute(.column("last, \"first\"; DROP TABLE \"Order\"; --"), .unique) var name: String?
  @Attribute(.column("a.b: c")) var values = ""
  @Attribute var rowid = 0
  @Attribute var null: Double?
  @ToOne(deleteRule: .cascade) var `where`: Group?
  @ToMany(inverse: \Group.from, ordered: true) var select: RelatedObjects<Group>

  override class var indexes: [AttributeIndex] {
    [.on(\Order.null, \Order.index), .unique(\Order.values, \Order.where, \Order.name)]
  }
}

private final class Group: ManagedObject {
  @Attribute var by = ""
  @ToMany(inverse: \Order.where) var having: RelatedObjects<Order>
  @ToMany var from: RelatedObjects<Order>
}

@Suite struct SchemaTests {
  private func problems(_ types: ManagedObject.Type...) async throws -> [SchemaViolation] {
    do {
      _ = try await PersistentContainer(at: .inMemory, schema: Schema(types))
      return []
    } catch {
      guard case .invalidSchema(let problems) = error else { throw error }
      return problems
    }
  }

  @Test func `a schema rejects a relationship without an inverse by class and property`() async throws {
    let found = try await problems(Lonely.self, Movie.self, FamilyMember.self)
    #expect(found.map(\.type) == ["Lonely"] && found[0].property == "others" && found[0].text.contains("inverse"))
  }

  @Test func `a schema rejects a relationship to a class that is not listed`() async throws {
    let found = try await problems(Stranger.self)
    #expect(found.map(\.property) == ["film"], "one mistake is one problem")
    #expect(found[0].type == "Stranger" && found[0].text.contains("Film is not in the schema"))
  }

  @Test func `a schema rejects a class whose init creates other objects`() async throws {
    let found = try await problems(Maker.self)
    #expect(found.map(\.type) == ["Maker"])
  }

  @Test func `a schema rejects a class that is listed twice`() async throws {
    #expect(try await problems(Movie.self, FamilyMember.self, Movie.self).isEmpty == false)
  }

  @Test func `a schema rejects two classes of the same name`() async throws {
    let found = try await problems(First.Item.self, Second.Item.self)
    #expect(found.map(\.type) == ["Item"] && found[0].text.contains("taken by another class"))
  }

  @Test func `a schema rejects a column name that is already in use`() async throws {
    let found = try await problems(Clash.self)
    #expect(Set(found.map(\.property)) == ["subtitle", "edition"])
  }

  @Test func `subclasses, unstored properties and unusual column names keep their values`() async throws {
    let container = try await PersistentContainer(at: .inMemory, schema: Schema(Derived.self))
    let id = try await container.newContext().persist { objects in
      let object = objects.insert(Derived.self)
      #expect(object.select == "from init")
      object.select = "table"
      object.quoted = "'\""
      object.note = "gone"
      return object.id
    }
    try await container.newContext().perform { objects in
      let object = try objects.object(id)
      #expect(object.select == "table" && object.where == 7 && object.quoted == "'\"" && !object.guarded)
      #expect(object.note == "not stored" && !objects.hasChanges)
      let sorted = try objects.fetch(Derived.self, sort: [.ascending(\.select), .descending(\.where)])
      #expect(sorted.count == 1)
    }
  }

  @Test func `classes and columns may have SQL keywords and SQL code as names`() async throws {
    let container = try await PersistentContainer(at: .inMemory, schema: Schema(Order.self, Group.self))
    let context = container.newContext()
    try await context.persist { objects in
      let group = objects.insert(Group.self)
      group.by = "'; --"
      for number in 0..<3 {
        let order = objects.insert(Order.self)
        (order.index, order.rowid, order.values, order.where) = (number, 10 + number, "\(number)", group)
        group.from.insert(order)
      }
      let rows = [(1, "one"), (7, "seven")]
      try objects.import(
        rows, into: Order.self, matching: \.index, [.set(\.index) { $0.0 }, .set(\.name) { Optional($0.1) }])
      #expect(try objects.update(Order.self, where: { $0.rowid == 12 }, set: [.set(\.null, to: 1)]) == 1)
    }
    try await container.newContext().perform { (objects) throws in
      let found = try objects.fetch(
        Order.self, where: { $0.where.contains { $0.by == "'; --" } && $0.select.count == 1 && $0.null == nil },
        sort: [.descending(\.rowid)])
      #expect(found.map(\.name) == ["one", nil] && found[0].select.first === found[0].where)
      let sums = try objects.groups(in: FetchDescriptor(Order.self), by: { $0.null }, of: { $0.sum { $0.rowid } })
      #expect(sums.map(\.value) == [21, 12])
      #expect(try objects.distinctValues(of: \Order.name) == [nil, "one", "seven"])
    }
    func violated(_ body: @Sendable @escaping (ObjectSpace) throws -> Void) async -> [String] {
      do {
        try await context.persist(body)
      } catch {
        if case .notUnique(let violation) = error { return violation.attributes }
      }
      return []
    }
    #expect(await violated { $0.insert(Order.self).index = 1 } == ["index"])
    #expect(
      await violated {
        let order = $0.insert(Order.self)
        (order.index, order.name) = (9, "seven")
      } == ["name"])
    #expect(try await context.persist { try $0.delete(Order.self, where: { $0.index == 0 }) } == 1)
    #expect(try await context.perform { [try $0.count(Order.self), try $0.count(Group.self)] } == [3, 0])
  }

  @Test func `a sort by a property that is not stored is rejected`() async throws {
    let container = try await PersistentContainer(at: .inMemory, schema: Schema(Derived.self))
    for (sort, reason) in [
      (Sort<Derived>.ascending(\.note), "is not a stored property of Derived"),
      (.ascending(\.select.localizedCapitalizedForTest), "a key path must name one property of Derived"),
    ] {
      await #expect {
        try await container.newContext().perform { _ = try $0.fetch(Derived.self, sort: [sort]) }
      } throws: { error in
        guard case .unsupportedQuery(let refusal) = error as? PersistenceError else { return false }
        return refusal.reason.hasPrefix(reason)
      }
    }
  }

  @Test func `using a class that is not in the schema throws an error that names the class`() async throws {
    let container = try await PersistentContainer(at: .inMemory, schema: Schema(Derived.self))
    for body in [
      { _ = $0.insert(Movie.self) }, { _ = try $0.fetch(Movie.self) },
      { _ = try $0.object(ObjectID<Movie>(rawValue: 1)) },
    ] as [@Sendable (ObjectSpace) throws -> Void] {
      await #expect {
        try await container.newContext().persist(body)
      } throws: { error in
        guard case .notInSchema("Movie") = error as? PersistenceError else { return false }
        return true
      }
    }
  }
}

extension String {
  fileprivate var localizedCapitalizedForTest: String { uppercased() }
}
