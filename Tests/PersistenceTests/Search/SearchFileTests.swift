import CLarderSQLite
import Foundation
import LarderTestSupport
import Testing

@testable import Persistence

/// The full-text index when other programs read and write the file.
@Suite struct SearchFileTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  static let queries = [
    "SELECT rowid FROM _larder_Article_search WHERE _larder_Article_search MATCH 'cafe' ORDER BY rank",
    "SELECT text, title FROM _larder_Article_search WHERE rowid = 1",
    "SELECT a.title FROM _larder_Article_search s JOIN Article a ON a._id = s.rowid WHERE s.title MATCH 'stra*'",
    "INSERT INTO _larder_Article_search(_larder_Article_search) VALUES('integrity-check')", "PRAGMA integrity_check",
  ]
  static let expected = "1\n2\na b|cafe strasse\nCafé Straße\nok\n"

  private func fill() async throws {
    let container = try await store.open(Article.self, Author.self)
    try await container.newContext().persist { objects in
      _ = Article.insert("Café Straße", "A\u{0}B", 1, in: objects)
      _ = Article.insert("other", "many other words, and then at last a CAFE\u{301}", 2, in: objects)
    }
    await container.close()
  }

  @Test(.enabled(if: SQLiteShell.isAvailable, "needs the sqlite3 command"))
  func `the sqlite3 command searches a store`() async throws {
    try await fill()
    #expect(try await SQLiteShell.run(Self.queries.joined(separator: ";\n"), on: store.file) == Self.expected)
    let schema = try await SQLiteShell.run("SELECT sql FROM sqlite_master", on: store.file)
    #expect(!schema.contains("larder_searchable"))
  }

  @Test(.enabled(if: ChildProcess.find("python3") != nil, "needs python3"))
  func `Python searches a store`() async throws {
    try await fill()
    let program = """
      import sqlite3, sys
      store = sqlite3.connect(sys.argv[1])
      for query in sys.argv[2:]:
          for row in store.execute(query):
              print("|".join(row_value if isinstance(row_value, str) else str(row_value) for row_value in row))
      """
    let python = try #require(ChildProcess.find("python3"))
    let output = try await ChildProcess.run(
      python, ["-c", program, store.file.path] + Self.queries, errors: .joined)
    #expect(output.text == Self.expected)
  }

  private func titles(_ typed: String, _ objects: ObjectSpace) throws -> [String] {
    try objects.search(NoteWithSearch.Note.self, typed).map(\.title).sorted()
  }

  private func open(_ type: ManagedObject.Type, isReadOnly: Bool = false) async throws -> PersistentContainer {
    try await PersistentContainer(at: .file(store.file), schema: Schema(type)) { $0.isReadOnly = isReadOnly }
  }

  static let foreignChanges = [
    "INSERT INTO Note(_id,_version,title) VALUES(99,1,'foreign')",
    "UPDATE Note SET title='changed', _version=_version+1 WHERE _id=2", "DELETE FROM Note WHERE _id=3",
    "INSERT INTO Note(_id,_version,title) VALUES(1,9,'upsert') ON CONFLICT(_id) DO UPDATE SET title='upsert', _version=9",
    "UPDATE Note SET _version=_version+1 WHERE _id=4",
  ]

  @Test(arguments: [false, true])
  func `texts that another program writes are found by the next search`(hasFullTextSearch: Bool) async throws {
    let container = try await open(NoteWithSearch.Note.self)
    let context = container.newContext()
    try await context.persist { objects in
      for title in ["one", "two", "three", "four"] { objects.insert(NoteWithSearch.Note.self).title = title }
    }
    let program = try PlainSQLite(store.file, hasFullTextSearch: hasFullTextSearch)
    for sql in Self.foreignChanges { try program.run(sql) }
    #expect(try await container.integrityCheck().isIntact)
    let found = try await context.perform { objects in
      try ["foreign", "changed", "two", "three", "one", "upsert", "four"].map { try titles($0, objects) }
    }
    #expect(found == [["foreign"], ["changed"], [], [], [], ["upsert"], ["four"]])
    // A search writes nothing to the file, so it needs no lock.
    #expect(try await context.perform { try $0.connection.hasUnindexedTexts(of: $0.store.searchTables) })
    try program.run("BEGIN IMMEDIATE")
    #expect(try await context.perform { try titles("changed", $0) } == ["changed"])
    try program.run("COMMIT")
    try program.run("UPDATE Note SET title='in a unit of work', _version=_version+1 WHERE _id=2")
    try await context.persist { objects in
      #expect(try titles("unit", objects) == ["in a unit of work"])
      try objects.search(NoteWithSearch.Note.self, "unit")[0].text = "more"
      #expect(try titles("more", objects) == ["in a unit of work"])
    }
    try program.run("UPDATE Note SET title='on the main actor', _version=_version+1 WHERE _id=2")
    #expect(
      try await MainActor.run { try container.viewContext.objects.search(NoteWithSearch.Note.self, "main").count } == 1)
    try program.run("UPDATE Note SET title='live', _version=_version+1 WHERE _id=2")
    let request = FetchDescriptor<NoteWithSearch.Note>(searching: SearchText("live"))
    #expect(try await container.results(request).snapshot.count == 1)
    #expect(try await container.integrityCheck().isIntact)
  }

  @Test func `a commit indexes what another program has written, and a read-only store finds it before`() async throws {
    let container = try await open(NoteWithSearch.Note.self)
    try await container.newContext().persist { $0.insert(NoteWithSearch.Note.self).title = "one" }
    let reader = try await open(NoteWithSearch.Note.self, isReadOnly: true)
    let program = try PlainSQLite(store.file)
    try program.run("UPDATE Note SET title='two', _version=_version+1")
    #expect(try await reader.newContext().perform { try titles("two", $0) } == ["two"])
    try await container.newContext().persist { $0.insert(NoteWithSearch.Note.self).title = "three" }
    #expect(try await reader.newContext().perform { try titles("two", $0) } == ["two"])
  }

  @Test func `a search leaves the closure around it in its snapshot`() async throws {
    let container = try await open(NoteWithSearch.Note.self)
    try await container.newContext().persist { $0.insert(NoteWithSearch.Note.self).title = "one" }
    let program = try PlainSQLite(store.file)
    try program.run("UPDATE Note SET title='two', _version=_version+1")
    let file = store.file
    try await container.newContext().perform { (objects) throws in
      #expect(try objects.count(NoteWithSearch.Note.self) == 1)
      try PlainSQLite(file).run("INSERT INTO Note(_id,_version,title) VALUES(99,1,'two')")
      #expect(try titles("two", objects) == ["two"])
      #expect(try objects.count(NoteWithSearch.Note.self) == 1)
    }
    #expect(try await container.newContext().perform { try titles("two", $0) } == ["two", "two"])
  }

  @Test func `a check finds a row that another program has replaced because of a unique column`() async throws {
    let container = try await store.open(Article.self, Author.self)
    try await container.newContext().persist { _ = Article.insert("old", nil, 7, in: $0) }
    try PlainSQLite(store.file).run(
      "INSERT OR REPLACE INTO Article(_id,_version,title,number,year) VALUES(50,1,'new',7,2000)")
    #expect(try await container.newContext().perform { try $0.search(Article.self, "new").map(\.id.rawValue) } == [50])
    #expect(try await container.newContext().perform { try $0.search(Article.self, "old", limit: 1).count } == 0)
    #expect(try await !container.integrityCheck().isIntact)
    try await container.rebuildSearchIndexes()
    #expect(try await container.integrityCheck().isIntact)
  }

  @Test func `a container without the index that was opened earlier leaves nothing stale`() async throws {
    let old = try await open(NoteWithoutSearch.Note.self)
    let before = old.newContext()
    try await before.persist { $0.insert(NoteWithoutSearch.Note.self).title = "first" }
    let container = try await open(NoteWithSearch.Note.self)
    let context = container.newContext()
    #expect(try await context.perform { try titles("first", $0) } == ["first"])
    try await before.persist { objects in
      try objects.fetch(NoteWithoutSearch.Note.self)[0].title = "second"
      objects.insert(NoteWithoutSearch.Note.self).title = "third"
    }
    let found = try await context.perform { objects in
      try ["first", "second", "third"].map { try titles($0, objects) }
    }
    #expect(found == [[], ["second"], ["third"]])
    try await before.persist { _ = try $0.delete(NoteWithoutSearch.Note.self) { $0.title == "second" } }
    #expect(try await context.perform { try titles("second", $0) } == [])
    #expect(try await container.integrityCheck().isIntact)
  }
}
