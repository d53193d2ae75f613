import Foundation
import Persistence
import Testing

/// Values, rows and files that another program has written.
@Suite(.enabled(if: SQLiteShell.isAvailable, "needs the sqlite3 command"))
struct BadInputTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private func fetch(
    after sql: String
  ) async throws -> Result<[Everything.Seen], PersistenceError> {
    _ = try await store.open(Everything.self).newContext().persist { $0.insert(Everything.self).string = "first" }
    try await SQLiteShell.run(sql, on: store.file)
    let context = try await store.open(Everything.self).newContext()
    do {
      return .success(try await context.perform { try $0.fetch(Everything.self).map(Everything.Seen.init) })
    } catch {
      return .failure(error)
    }
  }

  @Test(arguments: [
    ("int8", "300"), ("int", "'text'"), ("bool", "x'00'"), ("uint", "-1"), ("double", "'text'"),
    ("string", "x'414243'"),
    ("int16", "32768"), ("int32", "-2147483649"), ("int64", "0.5"), ("uint8", "256"), ("uint16", "-1"),
    ("uint32", "4294967296"), ("uint64", "-1"), ("float", "'text'"), ("url", "x'00'"), ("url", "'http://['"),
    ("data", "'text'"), ("date", "'2020-01-01'"), ("uuid", "x'00'"), ("_sort_decimal", "'twelve'"),
    ("_sort_decimal", "'>5001.'"),
    ("_sort_decimal", "'>-9223372036854775808.1'"), ("_sort_decimal", "'<0776627963145224191.8~'"),
    ("_sort_maybeDecimal", "'>9223372036854775807.1'"), ("maybeUUID", "x'00'"), ("maybeAddress", "'[]'"),
    ("maybeInt8", "128"), ("maybeBool", "'text'"), ("maybeDate", "x'00'"), ("maybeFloat", "x'00'"),
    ("kind", "'opera'"), ("level", "5"), ("address", "'{'"), ("maybeInt", "'text'"), ("maybeString", "x'00'"),
    ("maybeKind", "'opera'"), ("maybeDouble", "x'00'"),
  ])
  func `reading a value of the wrong type fails with its class, attribute and id`(
    _ attribute: String, _ value: String
  ) async throws {
    guard
      case .failure(.invalidValue(let found)) = try await fetch(after: "UPDATE Everything SET \(attribute)=\(value)")
    else {
      Issue.record("the value was accepted")
      return
    }
    #expect(found.type == "Everything" && found.attribute == attribute.replacing("_sort_", with: "") && found.id == 1)
  }

  @Test func `a relationship with a value of the wrong type fails, and a dangling one is nil`() async throws {
    let schema: [ManagedObject.Type] = [Film.self, Director.self, Movie.self, FamilyMember.self]
    func open() async throws -> ObjectContext {
      try await PersistentContainer(at: .file(store.file), schema: Schema(schema)).newContext()
    }
    try await open().persist { objects in
      objects.insert(Film.self).director = objects.insert(Director.self)
      objects.insert(Movie.self).familyMembers.insert(objects.insert(FamilyMember.self))
    }
    try await SQLiteShell.run("UPDATE Film SET director=999; DELETE FROM FamilyMember", on: store.file)
    try await open().perform { objects in
      let film = try #require(try objects.fetch(Film.self).first)
      #expect(film.director == nil)
      #expect(try objects.count(Film.self, where: { $0.director.contains { $0.name == "" } }) == 0)
      let members = try #require(try objects.fetch(Movie.self).first).familyMembers
      #expect(members.first == nil && Array(members).isEmpty)
    }
    try await SQLiteShell.run("UPDATE Film SET director='nobody'", on: store.file)
    await #expect {
      try await open().perform { try $0.fetch(Film.self).count }
    } throws: { error in
      guard case .invalidValue(let value) = error as? PersistenceError else { return false }
      return value.type == "Film" && value.attribute == "director" && value.id == 1
    }
  }

  @Test func `objects can be inserted while a row has the highest possible id`() async throws {
    try await store.open(Everything.self).newContext().persist { _ = $0.insert(Everything.self) }
    try await SQLiteShell.run("UPDATE Everything SET _id=9223372036854775807", on: store.file)
    let context = try await store.open(Everything.self).newContext()
    let last = ObjectID<Everything>(rawValue: .max)
    try await context.persist { try $0.object(last).string = "changed" }
    let id = try await context.persist { $0.insert(Everything.self).id }
    #expect(try await context.perform { try $0.fetch(Everything.self).map(\.id) } == [id, last])
    try await context.persist { $0.delete(try $0.object(last)) }
  }

  @Test(arguments: [
    "UPDATE Everything SET _id=9223372036854775806", "UPDATE _larder_ids SET next=9223372036854775800",
    "UPDATE _larder_ids SET next=1e300",
  ])
  func `inserting objects fails with its reason when no ids are left`(_ sql: String) async throws {
    try await store.open(Everything.self).newContext().persist { _ = $0.insert(Everything.self) }
    try await SQLiteShell.run(sql, on: store.file)
    let context = try await store.open(Everything.self).newContext()
    for _ in 0..<3 {
      await #expect {
        try await context.persist { objects in for _ in 0..<100 { _ = objects.insert(Everything.self) } }
      } throws: { error in
        guard case .full = error as? PersistenceError else { return false }
        return "\(error)".contains("no ids left for Everything")
      }
    }
    #expect(try await context.perform { try $0.count(Everything.self) } == 1)
  }

  @Test func `reading a string repairs invalid UTF-8 and keeps NUL characters`() async throws {
    let seen = try await fetch(
      after: "UPDATE Everything SET string=CAST(x'41FF00F0429F' AS TEXT), maybeString=CAST(x'00' AS TEXT)"
    )
    .get()
    #expect(seen.map(\.string) == ["A\u{FFFD}\u{0}\u{FFFD}B\u{FFFD}"] && seen.map(\.maybeString) == ["\u{0}"])
  }

  @Test func `rows with arbitrary ids are found, and new ids do not collide with them`() async throws {
    let columns =
      "bool,int,int8,int16,int32,int64,uint,uint8,uint16,uint32,uint64,double,float,string,data,date,uuid,url,decimal,_sort_decimal,kind,level,address"
    let far = "4611686018427387904"
    let seen = try await fetch(
      after: """
        INSERT INTO Everything(_id,\(columns)) SELECT \(far),\(columns) FROM Everything;
        INSERT INTO Everything(_id,\(columns)) SELECT -5,\(columns) FROM Everything WHERE _id=1
        """
    ).get()
    #expect(seen.map(\.id) == [-5, 1, Int64(far) ?? 0])
    let context = try await store.open(Everything.self).newContext()
    let id = try await context.persist { objects in
      let all = try objects.fetch(Everything.self)
      #expect(try objects.fetch(Everything.self) == all)
      #expect(try objects.object(ObjectID<Everything>(rawValue: -5)) === all[0])
      all[2].int = 7
      return objects.insert(Everything.self).id
    }
    #expect(id.rawValue > Int64(far) ?? .max)
  }

  @Test func `saving an object whose row another program deleted is a conflict`() async throws {
    let context = try await store.open(Everything.self).newContext()
    let id = try await context.persist { $0.insert(Everything.self).id }
    try await context.perform { try $0.object(id).string = "pending" }
    try await SQLiteShell.run("DELETE FROM Everything", on: store.file)
    await #expect {
      try await context.persist { _ in }
    } throws: { error in
      guard case .conflict(let conflict) = error as? PersistenceError else { return false }
      return conflict.kind == .deleted && conflict.type == "Everything" && conflict.id == 1
    }
  }

  @Test func `opening a store of a later format fails`() async throws {
    _ = try await store.open(Everything.self)
    try await SQLiteShell.run("PRAGMA user_version=99; DELETE FROM _larder_meta", on: store.file)
    await #expect {
      try await store.open(Everything.self)
    } throws: { error in
      guard case .cannotOpen(let failure) = error as? PersistenceError else { return false }
      return failure.reason == .tooNew
    }
  }

  @Test func `opening a file of one byte fails and leaves it unchanged`() async throws {
    let byte = Data("x".utf8)
    try byte.write(to: store.file)
    let schema = Schema(Everything.self)
    let openings: [@Sendable (StoreLocation) async throws -> Void] = [
      { _ = try await PersistentContainer(at: $0, schema: schema) },
      { _ = try await PersistentContainer(at: $0, schema: schema) { $0.isReadOnly = true } },
      { if case .file(let url) = $0 { _ = try await PersistentContainer.previewMigration(at: url, schema: schema) } },
    ]
    for opening in openings {
      await #expect {
        try await opening(.file(store.file))
      } throws: { error in
        guard case .cannotOpen(let failure) = error as? PersistenceError else { return false }
        return failure.reason == .notADatabase
      }
      #expect(try Data(contentsOf: store.file) == byte)
    }
  }

  @Test(arguments: ["user_version=7", "user_version=1", "application_id=7"])
  func `opening another program's empty database fails and leaves it unchanged`(mark: String) async throws {
    try await SQLiteShell.run("PRAGMA \(mark)", on: store.file)
    let before = try Data(contentsOf: store.file)
    await #expect {
      try await store.open(Movie.self, FamilyMember.self)
    } throws: { error in
      guard case .cannotOpen(let failure) = error as? PersistenceError else { return false }
      return failure.reason == .notAStore
    }
    #expect(try Data(contentsOf: store.file) == before)
  }

  @Test func `opening another program's database fails and leaves it unchanged`() async throws {
    try await SQLiteShell.run("CREATE TABLE Movie(id); INSERT INTO Movie VALUES(1)", on: store.file)
    await #expect {
      try await store.open(Movie.self, FamilyMember.self)
    } throws: { error in
      guard case .cannotOpen(let failure) = error as? PersistenceError else { return false }
      return failure.reason == .notAStore
    }
    #expect(try await SQLiteShell.run("SELECT count(*) FROM Movie", on: store.file) == "1\n")
  }
}

extension Everything {
  struct Seen: Sendable {
    let id: Int64
    let string: String
    let maybeString: String?

    init(_ it: Everything) {
      id = it.id.rawValue
      string = it.string
      maybeString = it.maybeString
    }
  }
}
