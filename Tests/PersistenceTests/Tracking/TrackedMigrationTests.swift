import Foundation
import Testing

@testable import Persistence

@Suite struct TrackedMigrationTests {
  private let folder: TemporaryStore
  private let file: TrackedFile

  /// The base of the first item, of two and a new one. The others have not changed.
  private static let first: [String: StoredValue] = [
    "name": .text("one"), "note": .null, "_sort_price": Decimal(2.5).stored, "owner": .integer(1),
  ]

  init() throws {
    folder = try TemporaryStore()
    let space = try ObjectSpace(Store(.file(folder.file), TrackedBefore.schema, StoreConfiguration()).access)
    try space.persist { objects in
      let person = objects.insert(TrackedBefore.Person.self)
      person.name = "Eve"
      for name in ["one", "two"] {
        let item = objects.insert(TrackedBefore.Item.self)
        (item.name, item.price, item.owner) = (name, 2.5, person)
      }
      objects.insert(TrackedBefore.Gone.self).text = "gone"
    }
    file = try TrackedFile(folder.file)
    for name in ["Item", "Person", "Gone"] { try file.clear(name) }
    try space.persist { objects in
      let (item, person) = (
        try objects.fetch(TrackedBefore.Item.self)[0], try objects.fetch(TrackedBefore.Person.self)[0]
      )
      (item.name, item.price, item.note, item.owner, person.name) = ("changed", 3, "new", nil, "Adam")
      objects.insert(TrackedBefore.Item.self).name = "three"
      try objects.fetch(TrackedBefore.Gone.self)[0].text = "changed"
    }
  }

  @discardableResult
  private func open(_ schema: Schema) throws -> ObjectSpace {
    let space = try ObjectSpace(Store(.file(folder.file), schema, StoreConfiguration()).access)
    #expect(try file.connection.tracks(schema))
    return space
  }

  private func expect(
    _ name: String, _ values: [String: StoredValue], _ others: [Int64: BaseRecord] = [3: .inserted],
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let base = try file.base(of: name)
    #expect(base == [1: BaseRecord(kind: 0, values: values)].merging(others) { $1 }, sourceLocation: location)
  }

  private func renamed(_ names: [String: String], _ other: [String: StoredValue] = [:]) -> [String: StoredValue] {
    Dictionary(uniqueKeysWithValues: Self.first.map { (names[$0] ?? $0, $1) }).merging(other) { $1 }
  }

  private let names = ["name": "title", "_sort_price": "_sort_cost", "owner": "holder"]

  @Test func `the base follows renamings of classes and attributes, and later changes are recorded`() throws {
    let space = try open(TrackedRenamed.schema)
    try expect("Thing", renamed(names))
    try expect("Human", ["name": .text("Eve")], [:])
    #expect(try file.ties == [["Gone 1", "Human 1", "Thing 1", "Thing 3"]])
    #expect(
      try file.rows("SELECT name FROM sqlite_master WHERE name LIKE '%base_Item%' OR name LIKE '%old_base%'") == [])
    try space.persist { objects in for thing in try objects.fetch(TrackedRenamed.Thing.self) { thing.title = "again" } }
    var second = renamed(names)
    second["title"] = .text("two")
    try expect("Thing", renamed(names), [2: BaseRecord(kind: 0, values: second), 3: .inserted])
  }

  @Test func `two classes that swap their names swap their bases`() throws {
    try open(TrackedSwapped.schema)
    try expect("Person", Self.first)
    try expect("Item", ["name": .text("Eve")], [:])
    #expect(try file.ties == [["Item 1", "Person 1", "Person 3"]])
  }

  @Test func `an added attribute has its initial value in the base`() throws {
    let space = try open(TrackedWider.schema)
    let expected = renamed(
      ["name": "Name"],
      [
        "size": .integer(7), "_sort_weight": Decimal(2).stored, "code": .text("a\u{0}b"), "label": .null,
      ])
    try expect("ITEM", expected)
    try space.persist { objects in objects.delete(try objects.fetch(TrackedWider.ITEM.self)[1]) }
    #expect(try file.base(of: "ITEM")[2]?.values == expected.merging(["Name": .text("two")]) { $1 })
  }

  @Test func `removed attributes leave the base, and an attribute that must not be nil is filled there`() throws {
    try open(TrackedNarrower.schema())
    try expect("Item", ["note": .text("none"), "owner": .integer(1)])
    try expect("Person", ["name": .text("Eve")], [:])
    #expect(try file.rows("SELECT name FROM sqlite_master WHERE name LIKE '%base_Gone%'") == [])
    #expect(try file.ties == [["Item 1", "Item 3", "Person 1"]])
    #expect(try file.rows("SELECT note FROM Item") == ["new", "none", "none"])
  }

  @Test func `after a custom step no base is known, and what the step changes is not recorded`() throws {
    let step = MigrationStep.custom("edit", in: 2) { store in
      try store.update("Item", id: 2, ["name": .text("edited")])
      try store.delete(from: "Item", id: 3)
      try store.execute("UPDATE Item SET note='stepped'")
    }
    let space = try open(TrackedBefore.untracked.version(2, [step]).tracking([TrackedClass(TrackedBefore.Item.self)]))
    #expect(try file.base(of: "Item") == [1: .unknown, 3: .inserted])
    #expect(try file.base(of: "Person") == [1: .unknown])
    // What the base was says which rows these are, also if they were deleted.
    #expect(try file.identities(of: "Person", "name") == ["1 Eve"])
    try space.persist { try $0.fetch(TrackedBefore.Item.self)[1].name = "changed" }
    #expect(try file.base(of: "Item")[2]?.values["note"] == .text("stepped"))
  }

  @Test func `a custom step can rename and remove what is tracked`() throws {
    let step = MigrationStep.custom("rename", in: 2) { store in
      try store.renameClass("Person", to: "Human")
      try store.renameClass("Item", to: "Thing")
      for (old, new) in [("name", "title"), ("price", "cost"), ("owner", "holder")] {
        try store.rename(old, of: "Thing", to: new)
      }
      try store.removeAttribute("note", of: "Thing")
      try store.removeClass("Gone")
    }
    try open(
      Schema(TrackedRenamed.Thing.self, TrackedRenamed.Human.self).version(2, [step]).tracking([
        TrackedClass(TrackedRenamed.Thing.self)
      ]))
    #expect(try file.base(of: "Thing") == [1: .unknown, 3: .inserted])
    #expect(try file.base(of: "Human") == [1: .unknown])
  }

  @Test func `a schema that does not track takes base tables and triggers along in its migration`() throws {
    let space = try open(TrackedRenamed.untracked)
    try expect("Thing", renamed(names))
    #expect(try file.connection.tracks(TrackedRenamed.schema))
    try space.persist { try $0.fetch(TrackedRenamed.Thing.self)[1].title = "again" }
    try open(TrackedRenamed.schema)
    #expect(try file.base(of: "Thing").mapValues(\.kind) == [1: 0, 2: 0, 3: 1])
  }

  @Test func `an attribute that a schema without tracking adds makes the base unknown when it is tracked`() throws {
    try open(TrackedWider.untracked)
    try expect("ITEM", renamed(["name": "Name"]))
    try open(TrackedWider.schema)
    #expect(try file.base(of: "ITEM") == [1: .unknown, 2: .unknown, 3: .inserted])
    #expect(try file.base(of: "Person").mapValues(\.kind) == [1: 0])
  }

  @Test func `rows that were written without triggers have an unknown base after a migration`() throws {
    let program = try PlainSQLite(folder.file)
    try program.run("DROP TRIGGER _larder_base_Item_on_update; UPDATE Item SET name='unseen' WHERE _id=2")
    try open(TrackedRenamed.schema)
    try expect("Thing", renamed(names), [2: .unknown, 3: .inserted])
    try expect("Human", ["name": .text("Eve")], [:])
  }

  @Test func `a migration that fails leaves the base tables and their triggers as they were`() throws {
    let step = MigrationStep.custom("fail", in: 2) { _ in throw Stop() }
    #expect(throws: PersistenceError.self) { try open(TrackedBefore.schema.version(2, TrackedRenamed.steps + [step])) }
    #expect(try file.connection.tracks(TrackedBefore.schema))
    try expect("Item", Self.first)
  }

  @Test func `a class that a migration adds has a base table without records`() throws {
    let schema = Schema(TrackedBefore.Item.self, TrackedBefore.Person.self, TrackedBefore.Gone.self, Priceless.self)
    let space = try open(schema.tracking([TrackedClass(Priceless.self)]))
    #expect(try file.base(of: "Priceless").isEmpty)
    try space.persist { $0.insert(Priceless.self).name = "new" }
    #expect(try file.base(of: "Priceless") == [1: .inserted])
    try expect("Item", Self.first)
  }
}

private final class Priceless: ManagedObject {
  @Attribute var name = ""
}
