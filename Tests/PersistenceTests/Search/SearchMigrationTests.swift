import CLarderSQLite
import Foundation
import Testing

@testable import Persistence

private final class BadTypes: ManagedObject {
  @Attribute(.searchable) var number = 0
  @Attribute(.searchable) var rank = ""
  @Attribute(.searchable, .column("RowID")) var other: String?
}

/// The full-text index when classes change.
@Suite struct SearchMigrationTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private func open(_ schema: Schema) async throws -> PersistentContainer {
    try await PersistentContainer(at: .file(store.file), schema: schema)
  }

  @Test func `a migration indexes attributes that become searchable, and follows renames and steps`() async throws {
    try await open(Schema(NoteWithoutSearch.Note.self)).newContext().persist { objects in
      for title in ["Älpha", "beta"] { objects.insert(NoteWithoutSearch.Note.self).title = title }
    }
    var container = try await open(Schema(NoteWithSearch.Note.self))
    #expect(container.migration?.steps.map(\.text) == ["index the text of Note: text, title"])
    #expect(try await container.newContext().perform { try $0.search(NoteWithSearch.Note.self, "alpha").count } == 1)
    #expect(try await container.integrityCheck().isIntact)
    await container.close()
    #expect(try await open(Schema(NoteWithSearch.Note.self)).migration == nil)
    container = try await open(Schema(NoteWithLessSearch.Note.self))
    #expect(
      container.migration?.steps.map(\.text) == ["remove the full-text index of Note", "index the text of Note: text"])
    try await container.newContext().persist { try $0.fetch(NoteWithLessSearch.Note.self)[1].text = "beta text" }
    #expect(try await container.newContext().perform { try $0.search(NoteWithLessSearch.Note.self, "beta").count } == 1)
    #expect(
      try await container.newContext().perform { try $0.search(NoteWithLessSearch.Note.self, "alpha").count } == 0)
    await container.close()
    // A class and a column with new names, a rebuilt table, and rows that a step changes
    let steps: [MigrationStep] = [
      .custom("new rows", in: 2) { store in
        try store.insert(into: "Note", ["title": .text("gamma")])
        try store.execute("UPDATE Note SET title = 'delta' WHERE title = 'beta'")
      },
      .renameClass("Note", to: "Memo", in: 2), .rename("title", of: "Memo", to: "heading", in: 2),
    ]
    let schema = Schema(NoteRenamed.Memo.self).version(2, steps)
    let preview = try await PersistentContainer.previewMigration(at: store.file, schema: schema)
    #expect(preview.steps.map(\.text).last == "index the text of Memo: heading, text")
    container = try await open(schema)
    try await container.newContext().perform { objects in
      for (typed, count) in [("alpha", 1), ("beta", 1), ("delta", 1), ("gamma", 1), ("filled", 2), ("text", 1)] {
        let found = try objects.search(NoteRenamed.Memo.self, typed).count
        #expect(found == count, "\(typed)")
      }
    }
    #expect(try await container.integrityCheck().isIntact)
    await container.close()
    let connection = try Connection(StorePlace(.file(store.file)), StoreConfiguration())
    #expect(
      try connection.statement("SELECT count(*) FROM sqlite_master WHERE name LIKE '%Note%'").integer() == 0)
  }

  @Test func `an attribute that is no longer searchable has no index`() async throws {
    let container = try await open(Schema(NoteWithSearch.Note.self))
    try await container.newContext().persist { $0.insert(NoteWithSearch.Note.self).title = "alpha" }
    await container.close()
    let plain = try await open(Schema(NoteWithoutSearch.Note.self))
    #expect(plain.migration?.steps.map(\.text) == ["remove the full-text index of Note"])
    #expect(plain.migration?.backup == nil)
    try await plain.newContext().persist { $0.insert(NoteWithoutSearch.Note.self).title = "beta" }
    let count = try await plain.newContext().perform {
      try $0.select("SELECT count(*) FROM sqlite_master WHERE name LIKE '%search%'", as: Int.self)
    }
    #expect(count == [0])
    await plain.close()
    let again = try await open(Schema(NoteWithSearch.Note.self))
    #expect(try await again.newContext().perform { try $0.search(NoteWithSearch.Note.self, "beta").count } == 1)
  }

  @Test func `a schema with a searchable attribute that cannot be indexed is refused`() async throws {
    do {
      _ = try await PersistentContainer(at: .inMemory, schema: Schema(BadTypes.self))
      Issue.record("the schema was accepted")
    } catch {
      guard case .invalidSchema(let problems) = error else { throw error }
      #expect(problems.map(\.property) == ["number", "rank", "other"])
    }
  }

  @Test func `without FTS5, a store with searchable attributes does not open`() throws {
    let place = StorePlace(.file(store.file))
    let connection = try Connection(place, StoreConfiguration(), isNew: true)
    func setup(_ schema: Schema) -> StoreSetup {
      StoreSetup(schema: schema, connection: connection, place: place, configuration: StoreConfiguration())
    }
    sqlite3_drop_modules(connection.handle, nil)
    #expect(throws: PersistenceError.self) {
      do throws(PersistenceError) { _ = try setup(Schema(NoteWithSearch.Note.self)).run() } catch {
        guard case .cannotOpen(let failure) = error, failure.reason == .noFullTextSearch else { throw Stop() }
        throw error
      }
    }
    #expect(try setup(Schema(NoteWithoutSearch.Note.self)).run() == nil)
  }

}
