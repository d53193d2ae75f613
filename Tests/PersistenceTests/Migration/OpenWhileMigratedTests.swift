import Foundation
import Testing

@testable import Persistence

private struct Residence: QueryableValue {
  var city = ""

  static var jsonNames: [PartialKeyPath<Residence>: String] { [\.city: "city"] }
}

private enum Plain {
  final class Guest: ManagedObject {
    @Attribute var name = ""
    @Attribute var home = Residence()
  }
}

private enum WithNote {
  final class Guest: ManagedObject {
    @Attribute var name = ""
    @Attribute var home = Residence()
    @Attribute var note = ""
  }
}

private enum Rewritten {
  final class Guest: ManagedObject {
    @Attribute var name: String?
    @Attribute var home = Residence()
    @Attribute var note = ""
  }
}

private enum WithNulls {
  final class Guest: ManagedObject {
    @Attribute var name = ""
    @Attribute var home = Residence()
    @Attribute var note = "\u{0}"
  }
}

private enum LoudNames {
  final class GUEST: ManagedObject {
    @Attribute var name = ""
    @Attribute var home = Residence()
  }
}

private enum WithFoldedName {
  final class Guest: ManagedObject {
    @Attribute(.folded) var name = ""
    @Attribute var home = Residence()
  }
}

private enum WithIndexedCity {
  final class Guest: ManagedObject {
    @Attribute var name = ""
    @Attribute var home = Residence()

    override class var indexes: [AttributeIndex] { [.on(Guest.self, by: { $0.home.city })] }
  }
}

private enum WithSearch {
  final class Guest: ManagedObject {
    @Attribute(.searchable) var name = ""
    @Attribute var home = Residence()
  }
}

private enum Renamed {
  final class Guest: ManagedObject {
    @Attribute var title = ""
    @Attribute var home = Residence()
  }
  final class Visitor: ManagedObject {
    @Attribute var title = ""
    @Attribute var home = Residence()
  }
}

/// Containers that are open while another one migrates their store.
@Suite struct OpenWhileMigratedTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private func open(_ type: ManagedObject.Type, version: Int = 1) async throws -> PersistentContainer {
    try await PersistentContainer(at: .file(store.file), schema: Schema(type).version(version))
  }

  private func isRefused(_ write: () async throws -> Void) async throws -> Bool {
    do {
      try await write()
      return false
    } catch PersistenceError.cannotOpen(let failure) {
      guard case .wrongSchema = failure.reason else { throw PersistenceError.cannotOpen(failure) }
      return true
    }
  }

  @Test(arguments: [WithFoldedName.Guest.self, WithIndexedCity.Guest.self] as [ManagedObject.Type])
  func `an open container does not write rows without calculated columns that another one has added`(
    _ type: ManagedObject.Type
  ) async throws {
    let old = try await open(Plain.Guest.self)
    let context = old.newContext()
    try await context.persist { $0.insert(Plain.Guest.self).name = "A" }
    let new = try await open(type)
    let refused = [
      try await isRefused { try await context.persist { $0.insert(Plain.Guest.self).name = "B" } },
      try await isRefused { try await old.newContext().persist { try $0.fetch(Plain.Guest.self)[0].name = "B" } },
      try await isRefused {
        try await context.persist { _ = try $0.update(Plain.Guest.self, set: [.set(\.name, to: "B")]) }
      },
      try await isRefused {
        try await context.persist { objects in
          // The error of a fetch does not have to end the closure.
          _ = try? objects.fetch(Plain.Guest.self)
          objects.insert(Plain.Guest.self).name = "B"
        }
      },
    ]
    #expect(refused == [true, true, true, true])
    #expect(try await context.perform { try $0.fetch(Plain.Guest.self).map(\.name) } == ["A"])
    #expect(try await new.integrityCheck().isIntact)
  }

  @Test func `an open container keeps writing after another one has added an attribute with a default`() async throws {
    let context = try await open(Plain.Guest.self).newContext()
    try await context.persist { $0.insert(Plain.Guest.self).name = "A" }
    let new = try await open(WithNote.Guest.self)
    try await context.persist { $0.insert(Plain.Guest.self).name = "B" }
    let notes = try await new.newContext().perform { try $0.fetch(WithNote.Guest.self).map { [$0.name, $0.note] } }
    #expect(notes == [["A", ""], ["B", ""]])
  }

  @Test(arguments: [Rewritten.Guest.self, WithNulls.Guest.self] as [ManagedObject.Type])
  func `an open container does not write rows that lack an attribute without a default in the file`(
    _ type: ManagedObject.Type
  ) async throws {
    let context = try await open(Plain.Guest.self).newContext()
    try await context.persist { $0.insert(Plain.Guest.self).name = "A" }
    let new = try await open(type)
    #expect(try await isRefused { try await context.persist { $0.insert(Plain.Guest.self).name = "B" } })
    #expect(try await isRefused { try await context.persist { try $0.fetch(Plain.Guest.self)[0].name = "B" } })
    #expect(try await new.integrityCheck().isIntact)
  }

  @Test(
    arguments: [WithFoldedName.Guest.self, WithIndexedCity.Guest.self, WithSearch.Guest.self] as [ManagedObject.Type])
  func `an open container does not write calculated columns that another one has removed`(_ type: ManagedObject.Type)
    async throws
  {
    let context = try await open(type).newContext()
    try await context.persist { _ = $0.insert(type) }
    let new = try await open(Plain.Guest.self)
    #expect(try await isRefused { try await context.persist { _ = $0.insert(type) } })
    #expect(try await new.newContext().perform { try $0.count(Plain.Guest.self) } == 1)
    #expect(try await new.integrityCheck().isIntact)
  }

  @Test func `an open container does not write to a table whose name has other letter case since`() async throws {
    let context = try await open(Plain.Guest.self).newContext()
    try await context.persist { $0.insert(Plain.Guest.self).name = "A" }
    let new = try await open(LoudNames.GUEST.self)
    #expect(try await isRefused { try await context.persist { $0.insert(Plain.Guest.self).name = "B" } })
    try await new.newContext().persist { $0.insert(LoudNames.GUEST.self).name = "C" }
    #expect(try await new.integrityCheck().isIntact)
  }

  @Test func `an open container does not write after the store has a higher version`() async throws {
    let context = try await open(Plain.Guest.self).newContext()
    try await context.persist { $0.insert(Plain.Guest.self).name = "A" }
    _ = try await open(WithNote.Guest.self, version: 2)
    #expect(try await isRefused { try await context.persist { $0.insert(Plain.Guest.self).name = "B" } })
  }

  @Test func `an open container does not read what another one has renamed or removed`() async throws {
    let old = try await open(Plain.Guest.self)
    let context = old.newContext()
    try await context.persist { $0.insert(Plain.Guest.self).name = "A" }
    let steps: [[MigrationStep]] = [
      [.rename("name", of: "Guest", to: "title", in: 2)], [.renameClass("Guest", to: "Visitor", in: 3)],
    ]
    let schemas = [Schema(Renamed.Guest.self).version(2, steps[0]), Schema(Renamed.Visitor.self).version(3, steps[1])]
    for schema in schemas {
      let new = try await PersistentContainer(at: .file(store.file), schema: schema)
      let refused = [
        try await isRefused { _ = try await context.perform { try $0.fetch(Plain.Guest.self).map(\.name) } },
        try await isRefused { _ = try await old.newContext().perform { try $0.fetch(Plain.Guest.self).map(\.name) } },
        try await isRefused {
          _ = try await context.perform { try $0.fetch(Plain.Guest.self, where: { $0.name == "A" }).count }
        },
        try await isRefused {
          _ = try await context.perform { try $0.fetch(Plain.Guest.self, sort: [.ascending(\.name)]).count }
        },
      ]
      #expect(refused == [true, true, true, true])
      await new.close()
    }
  }

  @Test func `texts that an open container writes are found by another one that has made them searchable`() async throws
  {
    let context = try await open(Plain.Guest.self).newContext()
    try await context.persist { $0.insert(Plain.Guest.self).name = "Anna" }
    let new = try await open(WithSearch.Guest.self)
    try await context.persist { $0.insert(Plain.Guest.self).name = "Bella" }
    let found = try await new.newContext().perform { objects in
      try objects.count(WithSearch.Guest.self, where: { $0.name.matches(SearchText("bella")) })
    }
    #expect(found == 1)
  }
}
