import Foundation
import Testing

@testable import Persistence

/// What notices that a full-text index is wrong, and mends it.
@Suite struct SearchMaintenanceTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  @Test(.enabled(if: SQLiteShell.isAvailable, "needs the sqlite3 command"))
  func `a check finds an index that another program has changed, and a rebuild mends it`() async throws {
    let tampering = [
      "DROP TRIGGER _larder_Note_search_on_update; UPDATE Note SET title='other' WHERE _id=2",
      "UPDATE Note SET title='other' WHERE _id=2; DELETE FROM _larder_Note_search_changed",
      "DELETE FROM Note WHERE _id=1; DELETE FROM _larder_Note_search_changed", "DROP TABLE _larder_Note_search_changed",
      "DROP TRIGGER _larder_Note_search_on_insert", "DROP TRIGGER _larder_Note_search_on_delete",
      "DELETE FROM _larder_Note_search WHERE rowid=1",
      "UPDATE _larder_Note_search_content SET c1='tampered' WHERE id=2",
      "DELETE FROM _larder_Note_search_data WHERE id>10",
      "DROP TABLE _larder_Note_search", "DROP TABLE _larder_Note_search_config", "DROP TABLE _larder_Note_search_data",
      "DELETE FROM _larder_Note_search_config", "DELETE FROM _larder_Note_search_data",
    ]
    for sql in tampering {
      let store = try TemporaryStore()
      let container = try await store.open(NoteWithSearch.Note.self)
      try await container.newContext().persist { objects in
        for title in ["one", "two"] { objects.insert(NoteWithSearch.Note.self).title = title }
      }
      #expect(try await container.integrityCheck().isIntact)
      try await SQLiteShell.run(sql, on: store.file)
      let report = try await container.integrityCheck()
      #expect(report.problems.contains { $0.contains("the full-text index of Note") }, "\(sql): \(report.problems)")
      try await container.rebuildSearchIndexes()
      #expect(try await container.integrityCheck().isIntact, "\(sql)")
      let context = container.newContext()
      let titles = try await context.perform { try $0.fetch(NoteWithSearch.Note.self).map(\.title) }
      for title in titles {
        #expect(try await context.perform { try $0.search(NoteWithSearch.Note.self, title).map(\.title) } == [title])
      }
      try await context.persist { try $0.search(NoteWithSearch.Note.self, titles[0])[0].title = "changed" }
      #expect(try await context.perform { try $0.search(NoteWithSearch.Note.self, "changed").count } == 1)
      #expect(try await container.integrityCheck().isIntact, "\(sql)")
    }
  }

  private func open(_ schema: Schema) async throws -> PersistentContainer {
    try await PersistentContainer(at: .file(store.file), schema: schema)
  }

  @Test func `salvage, backups, memory and read-only stores keep what can be searched`() async throws {
    let container = try await open(Schema(NoteWithSearch.Note.self))
    try await container.newContext().persist { $0.insert(NoteWithSearch.Note.self).title = "alpha" }
    let copy = store.folder.appending(path: "copy.db")
    try await container.backup(to: copy)
    await container.close()
    let salvaged = store.folder.appending(path: "salvaged.db")
    try await PersistentContainer.salvage(store.file, to: salvaged, schema: Schema(NoteWithSearch.Note.self))
    for file in [copy, salvaged] {
      for isReadOnly in [false, true] {
        let other = try await PersistentContainer(at: .file(file), schema: Schema(NoteWithSearch.Note.self)) {
          $0.isReadOnly = isReadOnly
        }
        #expect(try await other.newContext().perform { try $0.search(NoteWithSearch.Note.self, "alpha").count } == 1)
        #expect(try await other.newContext().persist { try $0.search(NoteWithSearch.Note.self, "alpha").count } == 1)
        #expect(try await other.integrityCheck().isIntact)
        await other.close()
      }
    }
    let memory = try await PersistentContainer(at: .inMemory, schema: Schema(NoteWithSearch.Note.self))
    try await memory.newContext().persist { $0.insert(NoteWithSearch.Note.self).title = "alpha" }
    #expect(try await memory.newContext().perform { try $0.search(NoteWithSearch.Note.self, "alpha").count } == 1)
  }

  @Test func `compacting a store removes the words of deleted texts`() async throws {
    let container = try await open(Schema(NoteWithSearch.Note.self))
    let context = container.newContext()
    let secret = "xyzzyplugh"
    for title in ["first", secret, "last"] {
      try await context.persist { $0.insert(NoteWithSearch.Note.self).title = title }
    }
    try await context.persist { _ = try $0.delete(NoteWithSearch.Note.self) { $0.title == secret } }
    func words() async throws -> [String] {
      try await context.perform { objects in
        let connection = try Connection(StorePlace(.file(store.file)), StoreConfiguration())
        try connection.execute("CREATE VIRTUAL TABLE temp.words USING fts5vocab(main,_larder_Note_search,row)")
        let blocks = try connection.statement("SELECT block FROM _larder_Note_search_data")
        var found: [String] = []
        while try blocks.step() {
          guard case .blob(let block) = blocks.value(0) else { continue }
          found += ["first", "yzzyplugh", "last"].filter { block.range(of: Data($0.utf8)) != nil }
        }
        return found.sorted()
      }
    }
    #expect(try await words().contains("yzzyplugh"))
    try await container.compact()
    #expect(try await words() == ["first", "last"])
    #expect(try await context.perform { try $0.search(NoteWithSearch.Note.self, "last").count } == 1)
    #expect(try await container.integrityCheck().isIntact)
  }

  @Test func `a store with a corrupt index can be compacted`() async throws {
    let container = try await open(Schema(NoteWithSearch.Note.self))
    try await container.newContext().persist { $0.insert(NoteWithSearch.Note.self).title = "first" }
    try PlainSQLite(store.file).run("DELETE FROM _larder_Note_search_data")
    try await container.compact()
    #expect(try await !container.integrityCheck().isIntact)
    try await container.rebuildSearchIndexes()
    #expect(try await container.integrityCheck().isIntact)
  }

  @Test func `a check reports what it finds while another connection is writing`() async throws {
    let container = try await PersistentContainer(
      at: .file(store.file), schema: Schema(Article.self, Author.self)
    ) { $0.busyTimeout = .milliseconds(20) }
    try await container.newContext().persist { objects in
      _ = Article.insert("one", nil, 1, in: objects)
      objects.insert(Author.self).name = "Ann"
    }
    let program = try PlainSQLite(store.file)
    try program.run("UPDATE _larder_Author_search_content SET c0='tampered'")
    try program.run("BEGIN IMMEDIATE")
    let report = try await container.integrityCheck()
    #expect(report.problems == ["the full-text index of Author differs in 1 objects: rebuild it"])
    #expect(report.unchecked.sorted() == ["Article", "Author"])
    try program.run("ROLLBACK")
    let whole = try await container.integrityCheck()
    #expect(whole.unchecked.isEmpty && !whole.isIntact)
    try await container.rebuildSearchIndexes()
    #expect(try await container.integrityCheck().isIntact)
  }
}
