import Foundation
import Persistence
import Testing

/// One class in several releases of a program.
private enum Tiny {
  final class Item: ManagedObject {
    @Attribute var name = "?"
  }
}

private enum Wider {
  final class Item: ManagedObject {
    @Attribute var added = Date(timeIntervalSinceReferenceDate: 7)
    @Attribute var name = "?"
    @Attribute var quoted = "it's '\u{301}\"so\""
    @Attribute var nul = "a\u{0}b"
    @Attribute var bytes = Data([0, 255])
    @Attribute var far = Double.infinity
    @Attribute var least = Int64.min
    @Attribute(.indexed) var none: String?
  }
}

/// Every attribute's default has a literal that SQLite 3.40 reads as a neighbor of the number.
private enum Precise {
  final class Item: ManagedObject {
    @Attribute var name = "?"
    @Attribute var price = 2_259_684.04574976
    @Attribute var share: Double? = 0.0215312578573828
    @Attribute var tiny = 3.89618485627517e-305
  }
}

private enum Unique {
  final class Item: ManagedObject {
    @Attribute(.unique) var name = "?"
  }
}

private enum Retyped {
  final class Item: ManagedObject {
    @Attribute var name = 0
  }
}

private enum Recased {
  final class ITEM: ManagedObject {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    @Attribute var Name = "?"
  }
}

private enum Left2 {
  final class Alpha: ManagedObject {
    @Attribute var name = ""
    @ToMany(ordered: true) var others: RelatedObjects<Beta>
  }
  final class Beta: ManagedObject {
    @Attribute var name = ""
    @ToMany(inverse: \Alpha.others) var others: RelatedObjects<Alpha>
  }
}

private enum Right2 {
  final class Omega: ManagedObject {
    @Attribute var name = ""
    @ToMany(ordered: true) var others: RelatedObjects<Beta>
  }
  final class Beta: ManagedObject {
    @Attribute var name = ""
    @ToMany(inverse: \Omega.others) var others: RelatedObjects<Omega>
  }
}

@Suite struct MigrationTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private func open(
    _ schema: Schema, configure: @Sendable (inout StoreConfiguration) -> Void = { _ in }
  ) async throws -> PersistentContainer {
    try await PersistentContainer(at: .file(store.file), schema: schema, configure: configure)
  }

  private func failure(_ schema: Schema) async -> PersistenceError? {
    do throws(PersistenceError) {
      _ = try await PersistentContainer(at: .file(store.file), schema: schema)
      return nil
    } catch {
      return error
    }
  }

  private func fillTiny(_ names: [String]) async throws {
    try await open(Schema(Tiny.Item.self)).newContext().persist { objects in
      for name in names { objects.insert(Tiny.Item.self).name = name }
    }
  }

  private func tinyNames() async throws -> [String] {
    try await open(Schema(Tiny.Item.self)).newContext().perform { try $0.fetch(Tiny.Item.self).map(\.name) }
  }

  @Test func `opening a store of the first release runs both migrations`() async throws {
    try await ReleasedContents.fillFirst(store.file, films: 25)
    #expect(try await ReleasedContents.thirdIsWhole(store.file, films: 25, emptyRemark: ""))
    // And accepts new objects with unused ids
    let container = try await open(V3.schema)
    #expect(container.migration == nil)
    let ids = try await container.newContext().persist { objects in
      let human = objects.insert(V3.Human.self)
      human.films = RelatedObjects(try objects.fetch(V3.Film.self).prefix(3).reversed())
      return [objects.insert(V3.Film.self).id.rawValue, human.id.rawValue]
    }
    #expect(ids[0] > 25 && ids[1] > 2)
    let order = try await container.newContext().perform { objects in
      try objects.fetch(V3.Human.self).last?.films.map(\.id.rawValue)
    }
    #expect(order == [3, 2, 1])
  }

  @Test func `a migration report lists the steps, and the backup is the old store`() async throws {
    try await ReleasedContents.fillFirst(store.file, films: 5)
    let container = try await open(V3.schema)
    let report = try #require(container.migration)
    #expect(report.oldVersion == 1 && report.newVersion == 3)
    #expect(
      report.steps.map(\.text).prefix(4) == [
        "rename the class Person to Human", "rename Human.seen to watched", "rename Film.name to title",
        "minutes become seconds",
      ])
    let backup = try #require(report.backup)
    #expect(backup.lastPathComponent == "store.db.v1.backup")
    #expect(try await ReleasedContents.firstIsWhole(backup, films: 5))
    let attributes = try FileManager.default.attributesOfItem(atPath: backup.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func `a migration that loses no data makes no backup`() async throws {
    try await ReleasedContents.fillFirst(store.file, films: 5)
    let report = try #require(try await open(V2.schema).migration)
    #expect(report.backup == nil)
    #expect(!FileManager.default.fileExists(atPath: store.file.path + ".v1.backup"))
  }

  @Test func `added attributes of any type have their default values after a migration`() async throws {
    try await fillTiny(["a", "b"])
    // The version stays the same, since nothing is lost
    let seen = try await open(Schema(Wider.Item.self)).newContext().perform { objects in
      try objects.fetch(Wider.Item.self).map { item in
        [
          item.name, item.quoted, item.nul, "\(item.bytes.map { $0 })", "\(item.far)", "\(item.least)",
          "\(item.added.timeIntervalSinceReferenceDate)", item.none ?? "nil",
        ]
      }
    }
    let rest = ["it's '\u{301}\"so\"", "a\u{0}b", "[0, 255]", "inf", "\(Int64.min)", "7.0", "nil"]
    #expect(seen == [["a"] + rest, ["b"] + rest])
  }

  @Test func `added numbers have exactly their default values after a migration`() async throws {
    try await fillTiny(["a"])
    let seen = try await open(Schema(Precise.Item.self)).newContext().perform { objects in
      try objects.fetch(Precise.Item.self).map { [$0.price, $0.share, $0.tiny] }
    }
    #expect(seen == [[2_259_684.04574976, 0.0215312578573828, 3.89618485627517e-305]])
  }

  @Test func `a schema that removes attributes needs a higher version`() async throws {
    _ = try await open(Schema(Wider.Item.self)).newContext().persist { $0.insert(Wider.Item.self).name = "kept" }
    guard case .cannotOpen(let refused) = await failure(Schema(Tiny.Item.self)) else {
      Issue.record("the store was opened")
      return
    }
    guard case .wrongSchema(let text) = refused.reason else {
      Issue.record("\(refused)")
      return
    }
    #expect(text.contains("Item.added") && text.contains("version above 1"))
    let kept = try await open(Schema(Wider.Item.self)).newContext().perform {
      try $0.fetch(Wider.Item.self).map(\.name)
    }
    #expect(kept == ["kept"])
    // With a higher version, the attributes are removed
    _ = try await open(Schema(Tiny.Item.self).version(2))
    #expect(await failure(Schema(Wider.Item.self)).map { "\($0)".contains("newer version") } == true)
  }

  @Test func `a class that the schema does not list stays in the store`() async throws {
    try await ReleasedContents.fillFirst(store.file, films: 3)
    #expect(try await open(Schema(V1.Note.self)).migration == nil)
    #expect(try await ReleasedContents.firstIsWhole(store.file, films: 3))
  }

  @Test func `opening a store of a newer schema version fails and leaves it unchanged`() async throws {
    try await ReleasedContents.fillThird(store.file, films: 3)
    guard case .cannotOpen(let refused) = await failure(V2.schema), refused.reason == .tooNew else {
      Issue.record("the store was opened")
      return
    }
    #expect(try await ReleasedContents.thirdIsWhole(store.file, films: 3, emptyRemark: "none"))
  }

  @Test func `changing the type of an attribute needs a migration step`() async throws {
    try await fillTiny(["12", "x"])
    guard case .cannotOpen(let refused) = await failure(Schema(Retyped.Item.self).version(2)),
      case .wrongSchema(let text) = refused.reason
    else {
      Issue.record("the store was opened")
      return
    }
    #expect(text.contains("Item.name was TEXT and is INTEGER"))
    let steps: [MigrationStep] = [
      .rename("name", of: "Item", to: "old", in: 2),
      .custom("names become numbers", in: 2) { store in
        try store.addAttribute("name", .integer, of: "Item", initial: .integer(0))
        try store.execute("UPDATE Item SET name=CAST(old AS INTEGER)")
        try store.removeAttribute("old", of: "Item")
      },
    ]
    let numbers = try await open(Schema(Retyped.Item.self).version(2, steps)).newContext().perform {
      try $0.fetch(Retyped.Item.self).map(\.name)
    }
    #expect(numbers == [12, 0])
  }

  @Test func `class and attribute names that differ only in case are the same`() async throws {
    try await fillTiny(["a"])
    let container = try await open(Schema(Recased.ITEM.self))
    let names = try await container.newContext().persist { objects in
      objects.insert(Recased.ITEM.self).Name = "b"
      return try objects.fetch(Recased.ITEM.self).map(\.Name)
    }
    #expect(names == ["a", "b"])
  }

  @Test func `duplicate values of an attribute that becomes unique fail the migration`() async throws {
    try await fillTiny(["same", "same"])
    guard case .migrationFailed(let failure) = await failure(Schema(Unique.Item.self)),
      case .notUnique("Item.name") = failure.reason
    else {
      Issue.record("the store was opened")
      return
    }
    #expect(try await tinyNames() == ["same", "same"])
  }

  @Test func `a many-to-many relationship survives a renaming that changes the alphabetical order`() async throws {
    try await open(Schema(Left2.Alpha.self, Left2.Beta.self)).newContext().persist { objects in
      let betas = (0..<3).map { number in
        let beta = objects.insert(Left2.Beta.self)
        beta.name = "\(number)"
        return beta
      }
      objects.insert(Left2.Alpha.self).others = RelatedObjects([betas[2], betas[0], betas[1]])
      objects.insert(Left2.Alpha.self).others = RelatedObjects([betas[1]])
    }
    let schema = Schema(Right2.Omega.self, Right2.Beta.self)
      .version(2, [.renameClass("Alpha", to: "Omega", in: 2)])
    let container = try await open(schema)
    #expect(container.migration?.backup == nil)
    let found = try await container.newContext().perform { objects in
      let omegas = try objects.fetch(Right2.Omega.self)
      let betas = try objects.fetch(Right2.Beta.self)
      return omegas.map { $0.others.map(\.name) } + betas.map { $0.others.map { "\($0.id.rawValue)" } }
    }
    #expect(found == [["2", "0", "1"], ["1"], ["1"], ["1", "2"], ["1"]])
  }

  @Test func `a migration preview lists the steps and changes nothing`() async throws {
    try await ReleasedContents.fillFirst(store.file, films: 25)
    let preview = try await PersistentContainer.previewMigration(at: store.file, schema: V3.schema)
    #expect(preview.isNeeded && preview.isDestructive && preview.storeVersion == 1 && preview.schemaVersion == 3)
    #expect(preview.duration == nil)
    let custom = try #require(preview.steps.first { $0.isCustom })
    #expect(custom.text == "minutes become seconds")
    let rewrite = try #require(preview.steps.first { $0.text.hasPrefix("rewrite Film") })
    #expect(rewrite.rows == 25 && rewrite.losses == ["Film.minutes"] && rewrite.duration ?? .zero > .zero)
    #expect(rewrite.description.contains(#/, about [0-9]+ m?s;/#), "\(rewrite)")
    #expect(preview.steps.contains { $0.losses == ["the class Note"] && $0.rows == 1 })
    #expect(preview.neededSpace > 2 * preview.size && preview.size > 8_192)
    #expect(try await ReleasedContents.firstIsWhole(store.file, films: 25))

    let harmless = try await PersistentContainer.previewMigration(at: store.file, schema: V2.schema)
    #expect(!harmless.isDestructive && harmless.duration != nil)
    let nothing = try await PersistentContainer.previewMigration(at: store.file, schema: V1.schema)
    #expect(!nothing.isNeeded && nothing.description == "nothing to do")
    let absent = store.folder.appending(path: "absent.db")
    let none = try await PersistentContainer.previewMigration(at: absent, schema: V1.schema)
    #expect(none.storeVersion == nil && !none.isNeeded && !FileManager.default.fileExists(atPath: absent.path))
  }

  @Test func `a read-only configuration can preview a migration and run it on a copy`() async throws {
    try await ReleasedContents.fillFirst(store.file, films: 25)
    let preview = try await PersistentContainer.previewMigration(at: store.file, schema: V3.schema) {
      $0.isReadOnly = true
    }
    #expect(preview.steps.contains { $0.rows == 25 && $0.duration ?? .zero > .zero })
    let report = try await PersistentContainer.dryRunMigration(at: store.file, schema: V3.schema) {
      $0.isReadOnly = true
    }
    #expect(report?.newVersion == 3)
    #expect(try await ReleasedContents.firstIsWhole(store.file, films: 25))
  }

  @Test func `a dry run migrates a copy and leaves no files behind`() async throws {
    try await ReleasedContents.fillFirst(store.file, films: 5)
    let container = try await open(V1.schema)
    let report = try await PersistentContainer.dryRunMigration(at: store.file, schema: V3.schema)
    #expect(report?.newVersion == 3 && report?.backup == nil && report?.steps.isEmpty == false)
    let names = try FileManager.default.contentsOfDirectory(atPath: store.folder.path)
    #expect(names.allSatisfy { $0.hasPrefix("store.db") } && names.allSatisfy { !$0.hasSuffix(".backup") }, "\(names)")
    #expect(try await ReleasedContents.firstIsWhole(store.file, films: 5))
    withExtendedLifetime(container) {}
  }

  @Test func `a store is not migrated when automatic migration is switched off`() async throws {
    try await ReleasedContents.fillFirst(store.file, films: 5)
    await #expect {
      try await open(V3.schema) { $0.migratesAutomatically = false }
    } throws: { error in
      guard case .cannotOpen(let failure) = error as? PersistenceError else { return false }
      return failure.reason == .migrationNeeded
    }
    #expect(try await ReleasedContents.firstIsWhole(store.file, films: 5))
  }

  @Test func `two containers that migrate at the same time wait for each other`() async throws {
    try await ReleasedContents.fillFirst(store.file, films: 25)
    async let one = open(V3.schema)
    async let other = open(V3.schema)
    let reports = try await [one.migration, other.migration]
    #expect(reports.compactMap { $0 }.count == 1)
    #expect(try await ReleasedContents.thirdIsWhole(store.file, films: 25, emptyRemark: ""))
  }

  @Test func `a schema with an invalid version or steps out of order is rejected`() async throws {
    let steps: [MigrationStep] = [
      .renameClass("A", to: "B", in: 3), .renameClass("B", to: "C", in: 2),
    ]
    for schema in [
      Schema(Tiny.Item.self).version(3, steps), Schema(Tiny.Item.self).version(0),
      Schema(Tiny.Item.self).version(2, [.renameClass("A", to: "B", in: 3)]),
    ] {
      guard case .invalidSchema = await failure(schema) else {
        Issue.record("the store was opened")
        return
      }
    }
  }
}
