import Foundation
import Testing

@testable import Persistence

/// What a SQL query may do, and what becomes of its context when it may not.
@Suite struct ReadOnlySQLTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private func open() async throws -> PersistentContainer {
    let container = try await store.open(Movie.self, FamilyMember.self)
    try await container.newContext().persist { objects in
      for (number, title) in ["Fargo", "Up", "Jaws"].enumerated() {
        let movie = objects.insert(Movie.self)
        (movie.title, movie.popularity, movie.remoteID) = (title, Double(number), Int64(number))
      }
    }
    return container
  }

  static let writes = [
    "DELETE FROM Movie", "DELETE FROM Movie RETURNING _id", "UPDATE Movie SET title='x'",
    "UPDATE Movie SET title='x' RETURNING title", "INSERT INTO Movie(title) VALUES('x')",
    "INSERT INTO Movie(title) VALUES('x') RETURNING _id", "REPLACE INTO Movie(_id,title) VALUES(1,'x')",
    "WITH a AS (SELECT 1) INSERT INTO Movie(title) SELECT 'x' FROM a RETURNING _id",
    "WITH a AS (SELECT 1) DELETE FROM Movie RETURNING _id", "WITH a AS (SELECT 1) UPDATE Movie SET title='x'",
    "EXPLAIN DELETE FROM Movie", "DROP TABLE Movie", "ALTER TABLE Movie ADD COLUMN x", "ALTER TABLE Movie RENAME TO x",
    "CREATE TABLE x(y)", "CREATE TEMP TABLE x(y)", "CREATE TABLE x AS SELECT * FROM Movie",
    "CREATE INDEX x ON Movie(title)",
    "CREATE VIEW x AS SELECT 1", "CREATE TEMP VIEW x AS SELECT 1",
    "CREATE TRIGGER x AFTER INSERT ON Movie BEGIN DELETE FROM Movie; END",
    "CREATE TEMP TRIGGER x AFTER INSERT ON main.Movie BEGIN SELECT 1; END",
    "CREATE VIRTUAL TABLE x USING fts5(y)", "CREATE VIRTUAL TABLE temp.x USING rtree(a,b,c)",
    "ATTACH ':memory:' AS x", "ATTACH DATABASE 'x.db' AS x", "DETACH main", "VACUUM", "VACUUM INTO 'x.db'", "REINDEX",
    "ANALYZE", "BEGIN", "BEGIN IMMEDIATE", "COMMIT", "END", "ROLLBACK", "SAVEPOINT x", "RELEASE x", "ROLLBACK TO x",
    "PRAGMA user_version=9", "PRAGMA query_only=1", "PRAGMA journal_mode=DELETE", "PRAGMA wal_checkpoint(TRUNCATE)",
    "PRAGMA writable_schema=1", "PRAGMA table_info(Movie)", "PRAGMA optimize", "PRAGMA incremental_vacuum",
    "SELECT * FROM pragma_table_info('Movie')", "SELECT count(*) FROM pragma_database_list",
    "SELECT (SELECT name FROM pragma_table_info('Movie'))", "SELECT title FROM Movie, Pragma_User_Version",
    "SELECT load_extension('x')", "SELECT title FROM Movie WHERE load_extension('x','y')",
    "SELECT writefile('x', title) FROM Movie", "SELECT readfile('/etc/passwd')", "SELECT edit('x')",
    "SELECT sqlite_log(1, 'x')", "SELECT SQLITE_LOG(1, title) FROM Movie", "SELECT fts3_tokenizer('simple')",
    "INSERT INTO sqlite_master VALUES(1,2,3,4,5)", "UPDATE sqlite_master SET sql='x'", "DELETE FROM sqlite_schema",
    "UPDATE _larder_meta SET value='x'", "INSERT INTO json_each VALUES(1)", "DELETE FROM json_each",
    "SELECT 1; DELETE FROM Movie", "SELECT 1; SELECT 2", "SELECT 1; PRAGMA user_version=9", "; SELECT 1; COMMIT",
    "SELECT 1 -- a\n; /* b */ DELETE FROM Movie", "/* a */ DELETE /* SELECT */ FROM Movie",
    "-- SELECT\nDELETE FROM Movie",
    "SELECT 1; nonsense", "", " ", ";", "-- SELECT 1", "/* SELECT 1", "SELEC 1", "SELECT", "SELECT nothing FROM Movie",
    "SELECT * FROM nothing", "SELECT title INTO x FROM Movie", "SELECT 1\0; DELETE FROM Movie",
  ]

  @Test(arguments: [false, true]) func `SQL that does anything but read is rejected`(isMain: Bool) async throws {
    let container = try await open()
    let context = container.newContext()
    let dump = "SELECT * FROM Movie; SELECT * FROM sqlite_master; PRAGMA user_version; PRAGMA journal_mode"
    let before = try await SQLiteShell.run(dump, on: store.file)
    for sql in Self.writes {
      let query: SQLQuery = "\(raw: sql)"
      let check: @Sendable (ObjectSpace) throws -> Void = { objects in
        do {
          let rows = try objects.select(query, as: String?.self)
          Issue.record("\(sql): \(rows)")
        } catch PersistenceError.queryFailed(let failure) {
          #expect([.notReadOnly, .invalidSQL, .notOneStatement].contains(failure.reason), "\(sql): \(failure)")
          #expect(failure.sql == sql && failure.row == nil && failure.column == nil)
        }
      }
      if isMain {
        try await MainActor.run { try check(container.viewContext.objects) }
      } else {
        // The failure is caught, and the closure continues and is saved.
        try await context.persist { objects in
          try check(objects)
          #expect(try objects.count(Movie.self) == 3)
        }
      }
    }
    #expect(try await SQLiteShell.run(dump, on: store.file) == before)
    let files = try FileManager.default.contentsOfDirectory(atPath: store.folder.path)
    #expect(files.filter { !$0.hasPrefix("store.db") } == [])
    #expect(!FileManager.default.fileExists(atPath: "x.db"))
    // The context still writes.
    try await context.persist { objects in
      #expect(try objects.select("SELECT title FROM Movie ORDER BY title", as: String.self) == ["Fargo", "Jaws", "Up"])
      objects.insert(Movie.self).title = "Alien"
      try objects.fetch(Movie.self, where: { $0.title == "Up" }).forEach(objects.delete)
    }
    #expect(
      try await SQLiteShell.run("SELECT title FROM Movie ORDER BY title", on: store.file) == "Alien\nFargo\nJaws\n")
  }

  @Test func `every kind of SQL that only reads is accepted`() async throws {
    let container = try await open()
    try await container.newContext().perform { objects in
      let queries: [(SQLQuery, [Int])] = [
        ("SELECT 1", [1]), ("VALUES(1),(2)", [1, 2]), ("SELECT 1;", [1]), ("SELECT 1; ; -- done", [1]),
        ("/* a */ SELECT 1 /* b */; /* c */\n", [1]), ("SELECT count(*) FROM Movie", [3]),
        ("WITH a AS (SELECT _id FROM Movie) SELECT count(*) FROM a", [3]),
        ("WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM n WHERE i<4) SELECT i FROM n", [1, 2, 3, 4]),
        ("SELECT count(*) FROM sqlite_master WHERE name='Movie'", [1]),
        ("SELECT value FROM json_each('[1,2]')", [1, 2]), ("SELECT 1 UNION SELECT 2 ORDER BY 1 DESC", [2, 1]),
        ("SELECT row_number() OVER (ORDER BY title) FROM Movie", [1, 2, 3]),
        ("SELECT larder_length(title) FROM Movie WHERE larder_folded_contains(title, 'up')", [2]),
        ("SELECT 1 WHERE EXISTS (SELECT * FROM Movie)", [1]), ("SELECT 1 WHERE 0", []),
      ]
      for (query, expected) in queries { #expect(try objects.select(query, as: Int.self) == expected, "\(query)") }
      _ = try objects.select("EXPLAIN QUERY PLAN SELECT * FROM Movie", as: Int.self)
    }
  }

  @Test func `SQL can read search tables and other virtual tables`() async throws {
    await (try open()).close()
    try await SQLiteShell.run(
      """
      CREATE VIRTUAL TABLE words USING fts5(text); INSERT INTO words VALUES('a red fox'),('a blue bird');
      CREATE VIRTUAL TABLE boxes USING rtree(id,low,high); INSERT INTO boxes VALUES(7,1,2)
      """, on: store.file)
    let container = try await store.open(Movie.self, FamilyMember.self)
    try await container.newContext().perform { objects in
      for _ in 0..<2 {
        let found = try objects.select("SELECT text FROM words WHERE words MATCH \("red")", as: String.self)
        #expect(found == ["a red fox"])
        #expect(try objects.select("SELECT id FROM boxes WHERE low < 2", as: Int.self) == [7])
        #expect(try objects.select("SELECT value FROM json_tree('[3]') WHERE atom", as: Int.self) == [3])
      }
      for sql in ["DELETE FROM words", "INSERT INTO words(words) VALUES('rebuild')", "DELETE FROM boxes"] {
        #expect(throws: PersistenceError.self) { try objects.select("\(raw: sql)", as: Int.self) }
      }
      #expect(try objects.select("SELECT count(*) FROM words", as: Int.self) == [2])
    }
  }

  @Test func `a read-only statement knows the tables that it reads`() async throws {
    let container = try await open()
    try await container.newContext().perform { objects in
      let query = "SELECT m.title FROM Movie m WHERE EXISTS (SELECT 1 FROM FamilyMember f WHERE f._id = m._id)"
      let statements = try objects.connection.readOnlyStatements()
      let (join, count) = try (statements.statement(query), statements.statement("SELECT count(*) FROM Movie"))
      #expect(join.tables == ["Movie", "FamilyMember"] && count.tables == ["Movie"])
    }
  }

  @Test func `values interpolated into SQL are bound`() async throws {
    let container = try await open()
    let hostile = ["'; DELETE FROM Movie; --", "\" OR 1=1", "a\0b", "?", "", "`", "é🎬"]
    try await container.newContext().persist { objects in
      for text in hostile { objects.insert(Movie.self).title = text }
      for text in hostile {
        #expect(try objects.select("SELECT title FROM Movie WHERE title = \(text)", as: String.self) == [text])
        #expect(try objects.select("SELECT \(text)", as: String.self) == [text])
        #expect(throws: PersistenceError.self) {
          try objects.select("SELECT \(identifier: text + "x") FROM Movie", as: String.self)
        }
      }
      #expect(
        try objects.select("SELECT title FROM Movie WHERE title IN \(hostile)", as: String.self).sorted()
          == hostile.sorted())
      #expect(try objects.select("SELECT count(*) FROM Movie WHERE title IN \([String]())", as: Int.self) == [0])
      // A digit behind a value does not become the parameter's number.
      #expect(throws: PersistenceError.self) {
        try objects.select("SELECT count(*) FROM Movie LIMIT \(1)1", as: Int.self)
      }
      let missing: Double? = nil
      #expect(try objects.select("SELECT count(*) FROM Movie WHERE popularity IS \(missing)", as: Int.self) == [7])
      let data = Data([1, 0, 2])
      #expect(try objects.select("SELECT \(data)", as: Data.self) == [data])
      let id = try objects.fetch(Movie.self)[1].id
      let part: SQLQuery = "\(\Movie.id) = \(id) AND \(\Movie.title) = \("Up")"
      let ids = try objects.select("SELECT \(\Movie.id) FROM \(Movie.self) WHERE \(part)", as: ObjectID<Movie>.self)
      #expect(ids == [id])
      // No value is part of a literal or a comment.
      for query: SQLQuery in ["SELECT '\(1)'", "SELECT 1 -- \(1)", "SELECT 1, :a", "SELECT ?", "SELECT ?2, \(1)"] {
        do {
          _ = try objects.select(query, as: String.self)
          Issue.record("\(query)")
        } catch PersistenceError.queryFailed(let failure) {
          #expect(failure.reason == .invalidArgument)
        }
      }
      for query: SQLQuery in ["SELECT \(UInt64.max)", "SELECT \(Double.nan)"] {
        #expect(throws: PersistenceError.self) { try objects.select(query, as: Double?.self) }
      }
      // A name that does not exist is no string.
      #expect(throws: PersistenceError.self) {
        try objects.select("SELECT \(identifier: "nothing") FROM Movie", as: String.self)
      }
      #expect(throws: PersistenceError.self) { try objects.select("SELECT \(\Movie.familyMembers)", as: Int.self) }
      #expect(throws: PersistenceError.self) { try objects.select("SELECT * FROM \(Film.self)", as: Int.self) }
    }
  }

  @Test func `an SQL error reports the position and omits values`() async throws {
    let container = try await open()
    try await container.newContext().perform { objects in
      let secret = "secret"
      do {
        _ = try objects.select("SELECT titel FROM Movie WHERE title = \(secret)", as: String.self)
        Issue.record("not refused")
      } catch PersistenceError.queryFailed(let failure) {
        #expect(failure.reason == .invalidSQL && failure.message.contains("titel"))
        #expect(failure.offset == 7 || failure.offset == nil)
        #expect("\(failure)".contains("titel") && !"\(failure)".contains(secret))
      }
      do {
        _ = try objects.select("SELECT json_extract('{}', \(secret))", as: String.self)
        Issue.record("not refused")
      } catch PersistenceError.queryFailed(let failure) {
        #expect(failure.reason == .failed && !"\(failure)".contains(secret))
      }
      #expect(try objects.count(Movie.self) == 3)
    }
  }

  @Test func `a cancelled task ends an SQL query that would never end`() async throws {
    let container = try await open()
    let context = container.newContext()
    let task = Task {
      try await context.persist { objects in
        objects.insert(Movie.self).title = "kept"
        do {
          _ = try objects.select(
            "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM n) SELECT i FROM n", as: SignallingRow.self)
          return false
        } catch PersistenceError.queryFailed(let failure) {
          return failure.reason == .cancelled
        }
      }
    }
    for await _ in SignallingRow.rows.stream { break }
    task.cancel()
    #expect(try await task.value)
    #expect(try await context.perform { try $0.count(Movie.self) } == 4)
  }

  /// Reports that rows are being read.
  private struct SignallingRow: Decodable {
    static let rows = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    init(from decoder: any Decoder) { Self.rows.continuation.yield() }
  }

  @Test func `SQL reads unsaved changes and leaves them unsaved`() async throws {
    let container = try await open()
    try await MainActor.run {
      let view = container.viewContext
      let movies = try view.fetch(Movie.self)
      movies[0].title = "changed"
      view.delete(movies[1])
      view.insert(Movie.self).title = "new"
      #expect(
        try view.objects.select("SELECT title FROM Movie ORDER BY title", as: String.self) == [
          "Jaws", "changed", "new",
        ])
      #expect(view.hasChanges)
      view.rollback()
      #expect(
        try view.objects.select("SELECT title FROM Movie ORDER BY title", as: String.self) == ["Fargo", "Jaws", "Up"])
      // Until they are saved, two objects may have the same unique value.
      let again = try view.fetch(Movie.self)
      again[0].remoteID = again[2].remoteID
      #expect(
        try view.objects.select("SELECT count(*), count(DISTINCT remoteID) FROM Movie", as: (Int, Int).self).first! == (
          3, 2
        ))
    }
    // In `persist` they are written, and the table cannot contain both.
    try await container.newContext().persist { objects in
      let movies = try objects.fetch(Movie.self)
      movies[0].remoteID = movies[2].remoteID
      #expect(throws: PersistenceError.self) { try objects.select("SELECT remoteID FROM Movie", as: Int?.self) }
      objects.rollback()
    }
  }

  @Test func `SQL can read a read-only store but not a closed one`() async throws {
    await (try open()).close()
    let container = try await store.open(Movie.self, FamilyMember.self) { $0.isReadOnly = true }
    let context = container.newContext()
    #expect(try await context.persist { try $0.select("SELECT count(*) FROM Movie", as: Int.self) } == [3])
    let view = container.viewContext
    #expect(try await MainActor.run { try view.objects.select("SELECT count(*) FROM Movie", as: Int.self) } == [3])
    await container.close()
    await #expect(throws: PersistenceError.self) {
      try await MainActor.run { try view.objects.select("SELECT 1", as: Int.self) }
    }
    await #expect(throws: PersistenceError.self) {
      try await context.perform { try $0.select("SELECT 1", as: Int.self) }
    }
  }
}
