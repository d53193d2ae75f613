import CLarderSQLite
import Foundation
import LarderTestSupport
import Testing

@testable import Persistence

/// One class in several releases of a program.
private enum Plain {
  final class Note: ManagedObject {
    @Attribute var title = ""
    @Attribute var text: String?
  }
}

private enum Searchable {
  final class Note: ManagedObject {
    @Attribute(.searchable) var title = ""
    @Attribute(.searchable) var text: String?
  }
}

private enum Fewer {
  final class Note: ManagedObject {
    @Attribute var title = ""
    @Attribute(.searchable) var text: String?
  }
}

private enum Renamed {
  final class Memo: ManagedObject {
    @Attribute(.searchable) var heading = "x"
    @Attribute(.searchable) var text = "filled"
    @Attribute var added = 1
  }
}

private final class BadTypes: ManagedObject {
  @Attribute(.searchable) var number = 0
  @Attribute(.searchable) var rank = ""
  @Attribute(.searchable, .column("RowID")) var other: String?
}

/// What a random test knows about an article.
private struct Texts: Sendable, Equatable {
  var number: Int
  var title: String
  var body: String?
}

/// The full-text index: what keeps it right, and what notices if it is not.
@Suite struct SearchIndexTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private static let vocabulary = [
    "alpha", "beta", "Gämma", "straße", "STRASSE", "élan", "ELAN", "alphabet", "be", "ta", "42", "ß", "Σίσυφος", "日本",
  ]

  private static func text(_ random: inout SeededGenerator) -> String {
    (0..<Int.random(in: 0...6, using: &random)).map { _ in
      vocabulary.randomElement(using: &random)! + [" ", ", ", "-", "\n", "\u{0}", "👍"].randomElement(using: &random)!
    }.joined()
  }

  /// The words of a text, found without SQLite.
  private static func words(_ text: String) -> [String] {
    TextFolding.fold(text).split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  private static func matches(_ typed: [String], _ texts: Texts) -> Bool {
    let columns = [words(texts.title), words(texts.body ?? "")]
    return typed.enumerated().allSatisfy { index, word in
      let word = TextFolding.fold(word)
      return columns.joined().contains { index == typed.count - 1 ? $0.hasPrefix(word) : $0 == word }
    }
  }

  private static func check(
    _ expected: [Int: Texts], _ queries: [[String]], _ objects: ObjectSpace, _ comment: Comment
  ) throws {
    for query in queries {
      let text = SearchText(query.joined(separator: " "))
      let found = try objects.fetch(Article.self, where: { $0.matches(text) }).map(\.number).sorted()
      let right = expected.values.filter { matches(query, $0) }.map(\.number).sorted()
      #expect(found == right, "\(comment): \(query)")
    }
  }

  /// Makes a random change to the objects and to the model.
  private static func change(
    _ model: inout [Int: Texts], _ next: inout Int, _ objects: ObjectSpace, _ random: inout SeededGenerator
  ) throws {
    let number = model.keys.sorted().randomElement(using: &random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1:
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        model[next] = Texts(number: next, title: text(&random), body: Bool.random(using: &random) ? text(&random) : nil)
        _ = Article.insert(model[next]!.title, model[next]!.body, next, in: objects)
        next += 1
      }
    case 2, 3:
      guard let number, let article = try objects.first(Article.self, where: { $0.number == number }) else { return }
      article.title = text(&random)
      if Bool.random(using: &random) { article.body = nil }
      model[number] = Texts(number: number, title: article.title, body: article.body)
    case 4:
      guard let number, let article = try objects.first(Article.self, where: { $0.number == number }) else { return }
      objects.delete(article)
      model[number] = nil
    case 5:
      let (limit, title) = (number ?? 0, text(&random))
      try objects.update(Article.self, where: { $0.number < limit }, set: [.set(\.title, to: title)])
      for key in model.keys where key < limit { model[key]?.title = title }
    case 6:
      guard let number else { return }
      let lower = number
      try objects.delete(Article.self) { $0.number >= lower && $0.number < lower + 3 }
      for key in lower..<lower + 3 { model[key] = nil }
    default:
      let rows = (0..<Int.random(in: 1...40, using: &random)).map { index in
        Texts(number: max(0, next - 10) + index, title: text(&random), body: text(&random))
      }
      try objects.import(
        rows, into: Article.self, matching: \.number,
        [.set(\.number) { $0.number }, .set(\.title) { $0.title }, .set(\.body) { $0.body }])
      for row in rows { model[row.number] = row }
      next = max(next, rows[rows.count - 1].number + 1)
    }
  }

  private struct Run: Sendable {
    var model: [Int: Texts] = [:]
    var next = 0
    var random: SeededGenerator
  }

  @Test func `a search finds what a comparison of words finds, after any changes`() async throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    let container = try await store.open(Article.self, Author.self)
    let contexts = [container.newContext(), container.newContext()]
    var run = Run(random: SeededGenerator(seed))
    for step in 0..<60 {
      let isRolledBack = Int.random(in: 0..<4, using: &run.random) == 0
      let queries = (0..<4).map { _ in
        (0..<Int.random(in: 1...3, using: &run.random)).map { _ in Self.vocabulary.randomElement(using: &run.random)! }
      }
      do {
        run = try await contexts[step % 2].persist { [run] objects in
          var run = run
          for _ in 0..<Int.random(in: 1...3, using: &run.random) {
            try Self.change(&run.model, &run.next, objects, &run.random)
            // Before the commit, and only sometimes, so that several changes meet in one update of the index
            if Bool.random(using: &run.random) {
              try Self.check(run.model, queries, objects, "seed \(seed), unsaved in step \(step)")
            }
          }
          if isRolledBack { throw Stop() }
          return run
        }
      } catch {
        // The model keeps its state from before, too.
        guard isRolledBack, case .body = error else { throw error }
      }
      try await contexts[(step + 1) % 2].perform { [run] objects in
        #expect(try objects.count(Article.self) == run.model.count, "seed \(seed)")
        try Self.check(run.model, queries, objects, "seed \(seed), saved in step \(step)")
      }
    }
    #expect(try await container.integrityCheck().isIntact, "seed \(seed)")
    try await container.compact()
    try await container.rebuildSearchIndexes()
    try await contexts[0].perform { [run] objects in
      try Self.check(run.model, [["alpha"], ["strasse", "be"]], objects, "seed \(seed), rebuilt")
    }
    #expect(try await container.integrityCheck().isIntact, "seed \(seed)")
  }

  @Test(.enabled(if: SQLiteShell.isAvailable, "needs the sqlite3 command"))
  func `a check finds an index that another program has changed, and a rebuild mends it`() async throws {
    let tampering = [
      "INSERT INTO Note(_id,title,text) VALUES(99,'foreign','text')", "DELETE FROM Note WHERE _id=1",
      "UPDATE Note SET title='other' WHERE _id=2", "DELETE FROM _larder_Note_search WHERE rowid=1",
      "UPDATE _larder_Note_search_content SET c1='tampered' WHERE id=2",
      "DELETE FROM _larder_Note_search_data WHERE id>10",
      "DROP TABLE _larder_Note_search", "DROP TABLE _larder_Note_search_config", "DROP TABLE _larder_Note_search_data",
      "DELETE FROM _larder_Note_search_config", "DELETE FROM _larder_Note_search_data",
    ]
    for sql in tampering {
      let store = try TemporaryStore()
      let container = try await store.open(Searchable.Note.self)
      try await container.newContext().persist { objects in
        for title in ["one", "two"] { objects.insert(Searchable.Note.self).title = title }
      }
      #expect(try await container.integrityCheck().isIntact)
      try await SQLiteShell.run(sql, on: store.file)
      let report = try await container.integrityCheck()
      #expect(report.problems.contains { $0.contains("the full-text index of Note") }, "\(sql): \(report.problems)")
      try await container.rebuildSearchIndexes()
      #expect(try await container.integrityCheck().isIntact, "\(sql)")
      let context = container.newContext()
      let titles = try await context.perform { try $0.fetch(Searchable.Note.self).map(\.title) }
      for title in titles {
        #expect(try await context.perform { try $0.search(Searchable.Note.self, title).map(\.title) } == [title])
      }
      try await context.persist { try $0.search(Searchable.Note.self, titles[0])[0].title = "changed" }
      #expect(try await context.perform { try $0.search(Searchable.Note.self, "changed").count } == 1)
      #expect(try await container.integrityCheck().isIntact, "\(sql)")
    }
  }

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
    #expect(!schema.contains("larder_searchable") && !schema.contains("TRIGGER"))
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

  @Test func `a select reads the full-text index`() async throws {
    try await fill()
    let container = try await store.open(Article.self, Author.self)
    try await container.newContext().persist { objects in
      let article = Article.insert("unsaved", nil, 3, in: objects)
      let ids = try objects.select(
        "SELECT rowid FROM _larder_Article_search WHERE _larder_Article_search MATCH \("unsaved")", as: Int64.self)
      #expect(ids == [article.id.rawValue])
    }
  }

  private func open(_ schema: Schema) async throws -> PersistentContainer {
    try await PersistentContainer(at: .file(store.file), schema: schema)
  }

  @Test func `a migration indexes attributes that become searchable, and follows renames and steps`() async throws {
    try await open(Schema(Plain.Note.self)).newContext().persist { objects in
      for title in ["Älpha", "beta"] { objects.insert(Plain.Note.self).title = title }
    }
    var container = try await open(Schema(Searchable.Note.self))
    #expect(container.migration?.steps.map(\.text) == ["index the text of Note: text, title"])
    #expect(try await container.newContext().perform { try $0.search(Searchable.Note.self, "alpha").count } == 1)
    #expect(try await container.integrityCheck().isIntact)
    await container.close()
    #expect(try await open(Schema(Searchable.Note.self)).migration == nil)
    container = try await open(Schema(Fewer.Note.self))
    #expect(
      container.migration?.steps.map(\.text) == ["remove the full-text index of Note", "index the text of Note: text"])
    try await container.newContext().persist { try $0.fetch(Fewer.Note.self)[1].text = "beta text" }
    #expect(try await container.newContext().perform { try $0.search(Fewer.Note.self, "beta").count } == 1)
    #expect(try await container.newContext().perform { try $0.search(Fewer.Note.self, "alpha").count } == 0)
    await container.close()
    // A class and a column with new names, a rebuilt table, and rows that a step changes
    let steps: [MigrationStep] = [
      .custom("new rows", in: 2) { store in
        try store.insert(into: "Note", ["title": .text("gamma")])
        try store.execute("UPDATE Note SET title = 'delta' WHERE title = 'beta'")
      },
      .renameClass("Note", to: "Memo", in: 2), .rename("title", of: "Memo", to: "heading", in: 2),
    ]
    let schema = Schema(Renamed.Memo.self).version(2, steps)
    let preview = try await PersistentContainer.previewMigration(at: store.file, schema: schema)
    #expect(preview.steps.map(\.text).last == "index the text of Memo: heading, text")
    container = try await open(schema)
    try await container.newContext().perform { objects in
      for (typed, count) in [("alpha", 1), ("beta", 1), ("delta", 1), ("gamma", 1), ("filled", 2), ("text", 1)] {
        let found = try objects.search(Renamed.Memo.self, typed).count
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
    let container = try await open(Schema(Searchable.Note.self))
    try await container.newContext().persist { $0.insert(Searchable.Note.self).title = "alpha" }
    await container.close()
    let plain = try await open(Schema(Plain.Note.self))
    #expect(plain.migration?.steps.map(\.text) == ["remove the full-text index of Note"])
    #expect(plain.migration?.backup == nil)
    try await plain.newContext().persist { $0.insert(Plain.Note.self).title = "beta" }
    let count = try await plain.newContext().perform {
      try $0.select("SELECT count(*) FROM sqlite_master WHERE name LIKE '%search%'", as: Int.self)
    }
    #expect(count == [0])
    await plain.close()
    let again = try await open(Schema(Searchable.Note.self))
    #expect(try await again.newContext().perform { try $0.search(Searchable.Note.self, "beta").count } == 1)
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
    let connection = try Connection(place, StoreConfiguration())
    func setup(_ schema: Schema) -> StoreSetup {
      StoreSetup(schema: schema, connection: connection, place: place, configuration: StoreConfiguration())
    }
    sqlite3_drop_modules(connection.handle, nil)
    #expect(throws: PersistenceError.self) {
      do throws(PersistenceError) { _ = try setup(Schema(Searchable.Note.self)).run() } catch {
        guard case .cannotOpen(let failure) = error, failure.reason == .noFullTextSearch else { throw Stop() }
        throw error
      }
    }
    #expect(try setup(Schema(Plain.Note.self)).run() == nil)
  }

  @Test func `salvage, backups, memory and read-only stores keep what can be searched`() async throws {
    let container = try await open(Schema(Searchable.Note.self))
    try await container.newContext().persist { $0.insert(Searchable.Note.self).title = "alpha" }
    let copy = store.folder.appending(path: "copy.db")
    try await container.backup(to: copy)
    await container.close()
    let salvaged = store.folder.appending(path: "salvaged.db")
    try await PersistentContainer.salvage(store.file, to: salvaged, schema: Schema(Searchable.Note.self))
    for file in [copy, salvaged] {
      for isReadOnly in [false, true] {
        let other = try await PersistentContainer(at: .file(file), schema: Schema(Searchable.Note.self)) {
          $0.isReadOnly = isReadOnly
        }
        #expect(try await other.newContext().perform { try $0.search(Searchable.Note.self, "alpha").count } == 1)
        #expect(try await other.newContext().persist { try $0.search(Searchable.Note.self, "alpha").count } == 1)
        #expect(try await other.integrityCheck().isIntact)
        await other.close()
      }
    }
    let memory = try await PersistentContainer(at: .inMemory, schema: Schema(Searchable.Note.self))
    try await memory.newContext().persist { $0.insert(Searchable.Note.self).title = "alpha" }
    #expect(try await memory.newContext().perform { try $0.search(Searchable.Note.self, "alpha").count } == 1)
  }

  @Test func `texts changed after a suspension are found`() async throws {
    let container = try await store.open(Article.self, Author.self)
    let context = container.newContext()
    try await context.persist { _ = Article.insert("before", nil, 1, in: $0) }
    await container.suspend()
    await container.resume()
    try await context.persist { _ = Article.insert("after", nil, 2, in: $0) }
    let found = try await context.perform { objects in
      try objects.fetch(Article.self, where: { $0.matches(SearchText("after")) }).map(\.number)
    }
    #expect(found == [2])
  }

  @Test func `an import that has a key twice indexes the last text`() async throws {
    let container = try await store.open(Article.self, Author.self)
    let context = container.newContext()
    let rows = (0..<40).map { (number: $0 % 3, title: "text\($0)") }
    _ = try await context.persist { objects in
      try objects.import(
        rows, into: Article.self, matching: \.number, [.set(\.number) { $0.number }, .set(\.title) { $0.title }])
    }
    for (word, expected) in [("text39", [0]), ("text37", [1]), ("text38", [2]), ("text36", []), ("text0", [])] {
      let found = try await context.perform { try $0.search(Article.self, word).map(\.number) }
      #expect(found == expected, "\(word)")
    }
    #expect(try await container.integrityCheck().isIntact)
  }

  @Test func `signs and emoji that SQLite does not know separate words`() async throws {
    let container = try await store.open(Article.self, Author.self)
    let text = "party🥳time costs 5₽ \u{61C}here"
    try await container.newContext().persist { _ = Article.insert(text, nil, 1, in: $0) }
    try await container.newContext().perform { objects in
      for typed in ["party time", "party🥳", "5₽", "5 her", "\"party time\"", "time costs"] {
        let found = try objects.search(Article.self, typed)
        #expect(found.count == 1, "\(typed)")
      }
      let search = SearchText("time")
      let article = try #require(try objects.search(Article.self, search).first)
      let highlighted = try objects.highlights(of: search, in: article, \.title)
      #expect(highlighted.ranges.map { String(text[$0]) } == ["time"])
      #expect(try objects.search(Article.self, SearchText(expression: "party AND \"🥳time\"")).count == 1)
    }
  }

  @Test func `a rank of members is refused`() async throws {
    let container = try await store.open(Article.self, Author.self)
    try await container.newContext().perform { objects in
      let request = FetchDescriptor(
        Author.self, sort: [.ascending { $0.articles.maximum { $0.rank(for: SearchText("a")) } }])
      do {
        _ = try objects.fetch(request)
        Issue.record("the rank was calculated")
      } catch {
        guard case .unsupportedQuery = error as? PersistenceError else { throw error }
      }
    }
  }
}
