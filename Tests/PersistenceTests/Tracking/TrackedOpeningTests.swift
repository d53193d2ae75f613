import Foundation
import Testing

@testable import Persistence

@Suite struct TrackedOpeningTests {
  private let folder: TemporaryStore

  init() throws { folder = try TemporaryStore() }

  private func open(_ schema: Schema = TrackedStore.schema) throws -> TrackedStore {
    try TrackedStore(schema, in: folder)
  }

  private func isComplete(_ schema: Schema = TrackedStore.schema) throws -> Bool {
    try TrackedFile(folder.file).connection.tracks(schema)
  }

  /// Two titles, of which the first was changed.
  private func fill() throws -> [Int64] {
    let tracked = try open()
    let ids = try tracked.insertTitles(1, 2)
    try tracked.space.persist { try $0.fetch(Title.self)[0].name = "changed" }
    return ids
  }

  @Test func `rows that were there before their class was tracked have an unknown base, also after changes`() throws {
    let ids = try {
      let untracked = try Store(.file(folder.file), TitleRow.schema, StoreConfiguration())
      return try ObjectSpace(untracked.access).persist { objects in
        (0..<2).map { number in
          let title = objects.insert(Title.self)
          title.name = "title \(number)"
          return title.id.rawValue
        }
      }
    }()
    let tracked = try open()
    #expect(try tracked.base == [ids[0]: .unknown, ids[1]: .unknown])
    let names = ["\(ids[0]) title 0", "\(ids[1]) title 1"]
    #expect(try tracked.file.identities(of: "Title", "name") == names)
    try tracked.space.persist { objects in
      let titles = try objects.fetch(Title.self)
      titles[0].name = "changed"
      objects.delete(titles[1])
    }
    #expect(try tracked.base == [ids[0]: .unknown, ids[1]: .unknown])
    #expect(try tracked.file.identities(of: "Title", "name") == names)
  }

  @Test(
    arguments: [
      ("DROP TRIGGER _larder_base_Title_on_insert", true), ("DROP TRIGGER _larder_base_Title_on_update", true),
      ("DROP TRIGGER _larder_base_Title_on_delete", true), ("DROP TABLE _larder_tie", false),
      ("DROP TABLE _larder_applying", false),
      (
        "DROP TRIGGER _larder_base_Title_on_delete; CREATE TRIGGER _larder_base_Title_on_delete AFTER DELETE ON Title "
          + "BEGIN SELECT 1; END", true
      ),
    ])
  func `opening creates what is missing or altered, and rows without a record have an unknown base if it was a trigger`(
    _ sql: String, isTrigger: Bool
  ) throws {
    let ids = try fill()
    try PlainSQLite(folder.file).run(sql)
    #expect(try !isComplete())
    let tracked = try open()
    #expect(try isComplete())
    #expect(try tracked.base == [ids[0]: .title(1)].merging(isTrigger ? [ids[1]: .unknown] : [:]) { $1 })
  }

  @Test func `opening creates a base table that was dropped, with records of unknown base`() throws {
    let ids = try fill()
    try PlainSQLite(folder.file).run("DROP TABLE _larder_base_Title")
    #expect(try open().base == [ids[0]: .unknown, ids[1]: .unknown])
    try PlainSQLite(folder.file).run("DROP TABLE _larder_base_Title; CREATE TABLE _larder_base_Title(x)")
    #expect(try open().base == [ids[0]: .unknown, ids[1]: .unknown])
    #expect(try isComplete())
  }

  @Test func `opening changes nothing if nothing is missing`() throws {
    let ids = try fill()
    let file = try TrackedFile(folder.file)
    let before = try file.rows("SELECT * FROM pragma_data_version,pragma_schema_version")
    #expect(try open().base == [ids[0]: .title(1)])
    #expect(try file.rows("SELECT * FROM pragma_data_version,pragma_schema_version") == before)
  }

  @Test func `a program whose schema does not track is recorded, and leaves tables and triggers as they are`() throws {
    let ids = try fill()
    for schema in [TitleRow.schema, TitleRow.schema.tracking([TrackedClass(House.self)])] {
      let other = try Store(.file(folder.file), schema, StoreConfiguration())
      try ObjectSpace(other.access).persist { try $0.fetch(Title.self)[1].name += "!" }
      #expect(try isComplete())
    }
    #expect(try open().base == [ids[0]: .title(1), ids[1]: .title(2)])
  }

  @Test func `a base is unknown when an attribute is tracked that was not, and keeps the others when one is no longer`()
    throws
  {
    let ids = try fill()
    let ignoring = TitleRow.schema.tracking([
      TrackedClass(Title.self, ignoring: [\Title.untouched, \Title.rating, \Title.studio])
    ])
    var expected = BaseRecord.title(1)
    for name in ["rating", "studio"] { expected.values[name] = nil }
    #expect(try open(ignoring).base == [ids[0]: expected])
    #expect(try open().base == [ids[0]: .unknown, ids[1]: .unknown])
  }

  @Test func `a read-only opening needs no base tables and creates none`() throws {
    _ = try Store(.file(folder.file), TitleRow.schema, StoreConfiguration())
    var configuration = StoreConfiguration()
    configuration.isReadOnly = true
    let store = try Store(.file(folder.file), TrackedStore.schema, configuration)
    #expect(try ObjectSpace(store.access).perform { try $0.count(Title.self) { $0.rating > 0 } } == 0)
    #expect(try !isComplete())
  }

  @Test func `a store that is not migrated automatically still begins to track`() throws {
    _ = try Store(.file(folder.file), TitleRow.schema, StoreConfiguration())
    var configuration = StoreConfiguration()
    configuration.migratesAutomatically = false
    _ = try Store(.file(folder.file), TrackedStore.schema, configuration)
    #expect(try isComplete())
  }

  @Test func `a store in memory is tracked, too`() throws {
    let store = try Store(.inMemory, TrackedStore.schema, StoreConfiguration())
    let space = try ObjectSpace(store.access)
    try space.persist { $0.insert(Title.self).name = "new" }
    #expect(try space.perform { try $0.rows("SELECT _kind FROM _larder_base_Title") } == [[.integer(1)]])
  }

  @Test func `a backup has the records and goes on recording`() async throws {
    let ids = try fill()
    let copy = folder.folder.appending(path: "copy.db")
    try await PersistentContainer(at: .file(folder.file), schema: TrackedStore.schema).backup(to: copy)
    let container = try await PersistentContainer(at: .file(copy), schema: TrackedStore.schema)
    try await container.newContext().persist { objects in try objects.fetch(Title.self)[1].name = "changed" }
    #expect(try TrackedFile(copy).base(of: "Title") == [ids[0]: .title(1), ids[1]: .title(2)])
  }

  @Test func `a salvaged store has an unknown base of every row`() async throws {
    let ids = try fill()
    let copy = folder.folder.appending(path: "salvaged.db")
    _ = try await PersistentContainer.salvage(folder.file, to: copy, schema: TrackedStore.schema)
    let container = try await PersistentContainer(at: .file(copy), schema: TrackedStore.schema)
    #expect(try TrackedFile(copy).base(of: "Title") == [ids[0]: .unknown, ids[1]: .unknown])
    #expect(try await container.integrityCheck().isIntact)
  }

  @Test func `a container records after it was suspended`() async throws {
    let ids = try fill()
    let container = try await PersistentContainer(at: .file(folder.file), schema: TrackedStore.schema)
    let context = container.newContext()
    try await context.persist { objects in try objects.fetch(Title.self)[0].name = "before" }
    await container.suspend()
    await container.resume()
    try await context.persist { objects in for title in try objects.fetch(Title.self) { title.name = "after" } }
    let file = try TrackedFile(folder.file)
    #expect(try file.base(of: "Title") == [ids[0]: .title(1), ids[1]: .title(2)])
    #expect(try file.ties == [ids.map { "Title \($0)" }])
  }

  @Test func `queries of the app can read base tables, and checks and maintenance accept them`() async throws {
    _ = try fill()
    let container = try await PersistentContainer(at: .file(folder.file), schema: TrackedStore.schema)
    let count = try await container.newContext().perform { objects in
      try objects.select("SELECT count(*),max(_kind) FROM _larder_base_Title", as: (Int, Int).self)[0]
    }
    #expect(count == (1, 0))
    #expect(try await container.integrityCheck().isIntact)
    try await container.compact()
    #expect(try isComplete())
  }
}
