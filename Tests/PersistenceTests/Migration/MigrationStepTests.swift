import Foundation
import Persistence
import Testing

private enum Old {
  final class Owner: ManagedObject {
    @Attribute var name = ""
    @ToMany(inverse: \Old.Pet.owner) var pets: RelatedObjects<Old.Pet>
  }
  final class Pet: ManagedObject {
    @Attribute var name = ""
    @ToOne var owner: Old.Owner?
  }
  static let schema = Schema(Owner.self, Pet.self)
}

/// A pet may have several owners.
private enum New {
  final class Owner: ManagedObject {
    @Attribute var name = ""
    @ToMany(inverse: \New.Pet.owners) var pets: RelatedObjects<New.Pet>
    @ToOne(inverse: \New.Home.owner) var home: New.Home?
  }
  final class Pet: ManagedObject {
    @Attribute var name = ""
    @ToMany(ordered: true) var owners: RelatedObjects<New.Owner>
  }
  final class Home: ManagedObject {
    @Attribute var street = ""
    @ToOne var owner: New.Owner?
  }
}

/// A price that changes from text to a number.
private enum Text {
  final class Item: ManagedObject {
    @Attribute var price = ""
  }
}

private enum Number {
  final class Item: ManagedObject {
    @Attribute(.column("amount")) var price: Decimal = 0
    @Attribute var price2: Decimal?
  }
}

private enum Taxed {
  final class Item: ManagedObject {
    @Attribute var price = ""
    @Attribute var tax: Decimal = 12.5
  }
}

private enum SameName {
  final class Item: ManagedObject {
    @Attribute var price: Decimal = 0
  }
}

@Suite struct MigrationStepTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private func fill() async throws {
    try await PersistentContainer(at: .file(store.file), schema: Old.schema).newContext().persist { objects in
      for name in ["a", "b"] {
        let owner = objects.insert(Old.Owner.self)
        owner.name = name
        for number in 0..<2 {
          let pet = objects.insert(Old.Pet.self)
          pet.name = "\(name)\(number)"
          pet.owner = owner
        }
      }
    }
  }

  /// Whether the old store is unchanged.
  private func isOld() async throws -> Bool {
    let container = try await PersistentContainer(at: .file(store.file), schema: Old.schema)
    return try await container.newContext().perform { objects in
      try objects.fetch(Old.Pet.self).map { "\($0.name) of \($0.owner?.name ?? "")" }
        == ["a0 of a", "a1 of a", "b0 of b", "b1 of b"]
    }
  }

  private func failure(
    _ body: @escaping @Sendable (MigrationStore) throws -> Void
  ) async throws -> MigrationFailure? {
    try await fill()
    do throws(PersistenceError) {
      let schema = Old.schema.version(2, [.custom("the step", in: 2, body)])
      _ = try await PersistentContainer(at: .file(store.file), schema: schema)
      return nil
    } catch {
      guard case .migrationFailed(let failure) = error else { throw error }
      #expect(failure.step == "the step" && failure.backup.map { $0.hasSuffix(".v1.backup") } == true)
      #expect(try await isOld())
      return failure
    }
  }

  @Test func `a migration step can turn a to-one relationship into a many-to-many one`() async throws {
    try await fill()
    let step = MigrationStep.custom("pets have several owners", in: 2) { store in
      #expect(store.classes == ["Owner", "Pet"])
      #expect(store.attributes(of: "Pet") == ["name", "owner"] && store.attributes(of: "Nobody").isEmpty)
      let pairs = try store.addManyToMany("owners", of: "Pet", inverse: "pets", of: "Owner")
      #expect(pairs == "Owner.pets+Pet.owners")
      try store.execute("INSERT INTO \"\(pairs)\"(Owner,Pet) SELECT owner,_id FROM Pet WHERE owner IS NOT NULL")
      try store.removeAttribute("owner", of: "Pet")
      try store.addClass("Home")
      try store.addAttribute("street", .text, of: "Home", initial: .text(""))
      try store.addToOne("owner", of: "Home", to: "Owner")
      try store.addToOne("home", of: "Owner", to: "Home")
      try store.forEachRow(of: "Owner") { owner in
        let home = try store.insert(into: "Home", ["street": owner["name"], "owner": .integer(owner.id)])
        try store.update("Owner", id: owner.id, ["home": .integer(home)])
      }
      #expect(try store.count(of: "Home") == 2)
      let first = try store.execute("SELECT _id FROM Pet WHERE name=?", [.text("a0")])
      guard case .integer(let id) = first[0][0] else { throw Stop() }
      try store.execute("DELETE FROM \"\(pairs)\" WHERE Pet=?", [.integer(id)])
      try store.delete(from: "Pet", id: id)
    }
    let schema = Schema(New.Owner.self, New.Pet.self, New.Home.self).version(2, [step])
    let container = try await PersistentContainer(at: .file(store.file), schema: schema)
    let found = try await container.newContext().persist { objects in
      let pets = try objects.fetch(New.Pet.self).map { "\($0.name) of \($0.owners.map(\.name))" }
      let homes = try objects.fetch(New.Home.self).map { "\($0.street) of \($0.owner?.home?.street ?? "")" }
      #expect(objects.insert(New.Home.self).id.rawValue > 2)
      return pets + homes
    }
    #expect(found == ["a1 of [\"a\"]", "b0 of [\"b\"]", "b1 of [\"b\"]", "a of a", "b of b"])
  }

  @Test func `a migration step can turn text into a decimal, which no automatic migration does`() async throws {
    try await PersistentContainer(at: .file(store.file), schema: Schema(Text.Item.self)).newContext().persist {
      objects in
      for price in ["12.50", "-3", "9"] { objects.insert(Text.Item.self).price = price }
    }
    for version in [1, 2] {
      await #expect(throws: PersistenceError.self) {
        _ = try await PersistentContainer(at: .file(store.file), schema: Schema(SameName.Item.self).version(version))
      }
    }
    let step = MigrationStep.custom("prices are numbers", in: 2) { store in
      try store.addDecimalAttribute("amount", of: "Item", initial: 0)
      #expect(store.attributes(of: "Item") == ["price", "amount"])
      try store.forEachRow(of: "Item") { row in try store.update("Item", id: row.id, ["amount": row["price"]]) }
      try store.insert(into: "Item", ["price": .text(""), "amount": Decimal(7).stored])
      try store.removeAttribute("price", of: "Item")
    }
    let container = try await PersistentContainer(
      at: .file(store.file), schema: Schema(Number.Item.self).version(2, [step]))
    let prices = try await container.newContext().perform { objects in
      try objects.fetch(Number.Item.self, sort: [.ascending(\.price)]).map(\.price)
    }
    #expect(prices == [-3, 7, 9, 12.5])
    await container.close()
    let renamed = MigrationStep.rename("amount", of: "Item", to: "price", in: 3)
    let last = try await PersistentContainer(
      at: .file(store.file), schema: Schema(SameName.Item.self).version(3, [renamed]))
    let found = try await last.newContext().perform { objects in
      try objects.fetch(SameName.Item.self, where: { $0.price > 8 }).map(\.price).sorted()
    }
    #expect(found == [9, 12.5])
    #expect(
      try await SQLiteShell.run("SELECT price FROM Item ORDER BY _sort_price", on: store.file) == "-3\n7\n9\n12.5\n")
  }

  @Test(arguments: [false, true])
  func `an added decimal attribute has its initial value in both of its columns`(isByStep: Bool) async throws {
    try await PersistentContainer(at: .file(store.file), schema: Schema(Text.Item.self)).newContext().persist {
      objects in
      for price in ["a", "b"] { objects.insert(Text.Item.self).price = price }
    }
    let step = MigrationStep.custom("items are taxed", in: 2) { store in
      if isByStep { try store.addDecimalAttribute("tax", of: "Item", initial: 12.5) }
    }
    let container = try await PersistentContainer(
      at: .file(store.file), schema: Schema(Taxed.Item.self).version(2, [step]))
    try await container.newContext().perform { (objects) throws in
      #expect(try objects.fetch(Taxed.Item.self, where: { $0.tax > 12 }).map(\.tax) == [12.5, 12.5])
    }
    let digits = try await SQLiteShell.run("SELECT tax,typeof(tax) FROM Item", on: store.file)
    #expect(digits == "12.5|text\n12.5|text\n")
  }

  @Test func `an error thrown in a migration step undoes the whole migration`() async throws {
    let failure = try await failure { store in
      try store.addAttribute("age", .integer, of: "Pet")
      try store.execute("DELETE FROM Pet")
      try store.renameClass("Owner", to: "Human")
      throw Stop()
    }
    guard case .body(let error) = failure?.reason else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(error is Stop)
  }

  @Test func `a migration step that leaves dangling relationships fails with their number`() async throws {
    let failure = try await failure { store in
      try store.forEachRow(of: "Owner") {
        if try $0["name"] == .text("a") { try store.delete(from: "Owner", id: $0.id) }
      }
    }
    guard case .dangling(let rows) = failure?.reason else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(rows == ["Pet": 2])
  }

  @Test(arguments: [
    "COMMIT", "BEGIN", "SAVEPOINT a", "DROP TABLE Pet", "CREATE TABLE x(y)", "ALTER TABLE Pet ADD COLUMN x",
    "PRAGMA foreign_keys=ON", "ATTACH 'x' AS y", "UPDATE Pet SET name='x'; COMMIT", "nonsense", "SELECT ?",
    "CREATE INDEX x ON Pet(name)", "VACUUM", "PRAGMA writable_schema=ON",
  ])
  func `a migration step rejects SQL that does more than read and change rows`(_ sql: String) async throws {
    let failure = try await failure { try $0.execute(sql) }
    guard case .body(let error) = failure?.reason else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(error is PersistenceError)
  }

  @Test(arguments: [" ;", "\r\n-- all of them", "; /* all */ -- of them\n", "\t;\u{C}"])
  func `a migration step accepts spaces and comments after a statement`(_ rest: String) async throws {
    let failure = try await failure { try $0.execute("UPDATE Pet SET name = 'x'" + rest) }
    #expect(failure == nil, "\(String(describing: failure))")
  }

  @Test func `a migration step rejects missing classes and attributes, and names that are in use`() async throws {
    let bodies: [@Sendable (MigrationStore) throws -> Void] = [
      { try $0.addAttribute("x", .text, of: "Nobody") }, { try $0.removeAttribute("x", of: "Pet") },
      { try $0.renameClass("Nobody", to: "Somebody") }, { try $0.renameClass("Pet", to: "Owner") },
      { try $0.rename("name", of: "Pet", to: "owner") }, { try $0.removeClass("Nobody") },
      { _ = try $0.count(of: "Nobody") }, { _ = try $0.insert(into: "Pet", ["x": .null]) },
      { try $0.forEachRow(of: "Nobody") { _ in } }, { try $0.rename("Nobody", of: "Pet", to: "nickname") },
      { try $0.addToOne("x", of: "Pet", to: "Nobody") },
      { try $0.addManyToMany("x", of: "Pet", inverse: "y", of: "Nobody") },
    ]
    for body in bodies {
      try FileManager.default.contentsOfDirectory(at: store.folder, includingPropertiesForKeys: nil)
        .forEach(FileManager.default.removeItem)
      guard let failure = try await failure(body), case .refused(let text) = failure.reason else {
        Issue.record("the step was accepted")
        continue
      }
      #expect(text.contains(#/Nobody|Pet has no x|owner|Owner/#), "\(text)")
    }
  }

  @Test func `the store of a migration step throws after the step has ended`() async throws {
    try await fill()
    let kept = Kept()
    let schema = Old.schema.version(2, [.custom("the step", in: 2) { kept.store = $0 }])
    _ = try await PersistentContainer(at: .file(store.file), schema: schema)
    #expect(throws: PersistenceError.self) { try kept.store?.execute("DELETE FROM Pet") }
    kept.store = nil
  }

  /// Keeps a step's store, which the compiler does not prevent.
  private final class Kept: @unchecked Sendable {
    var store: MigrationStore?
  }
}
