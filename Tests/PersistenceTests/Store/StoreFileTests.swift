import Foundation
import LarderTestSupport
import Testing

@testable import Persistence

private final class Chapter: ManagedObject {
  @Attribute var title = ""
  @ToOne var volume: Volume?
}

private final class Volume: ManagedObject {
  @Attribute var title = ""
  @Attribute var printed = Date(timeIntervalSince1970: 0)
  @Attribute var price: Decimal = 0
  @Attribute var isSold = false
  @Attribute var genre = Genre.drama
  @Attribute var code: UUID?
  @Attribute var address = Address()
  @ToMany(inverse: \Chapter.volume, ordered: true) var chapters: RelatedObjects<Chapter>
  @ToMany var readers: RelatedObjects<Reader>
}

private final class Reader: ManagedObject {
  @Attribute var name = ""
  @ToMany(inverse: \Volume.readers) var volumes: RelatedObjects<Volume>
}

/// `Docs/StoreFile.md`: other programs read a store without the library.
@Suite struct StoreFileTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private static let code = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255))

  /// Two volumes, the second without anything but a title.
  private func write() async throws {
    let container = try await store.open(Volume.self, Chapter.self, Reader.self)
    try await container.newContext().persist { objects in
      let volume = objects.insert(Volume.self)
      (volume.title, volume.printed, volume.price) = ("Emma", Date(timeIntervalSince1970: 1_792_800_000.25), -12.5)
      (volume.isSold, volume.genre, volume.code) = (true, .comedy, Self.code)
      volume.address = Address(street: "High Street", numbers: [1, 2])
      for title in ["b", "a", "c"] {
        let chapter = objects.insert(Chapter.self)
        chapter.title = title
        volume.chapters.insert(chapter)
      }
      for name in ["Ann", "Bob"] {
        let reader = objects.insert(Reader.self)
        reader.name = name
        volume.readers.insert(reader)
      }
      let other = objects.insert(Volume.self)
      (other.title, other.price) = ("Ulysses", 100)
    }
    await container.close()
  }

  static let queries = [
    "PRAGMA application_id", "PRAGMA user_version",
    "SELECT title, datetime(printed,'unixepoch'), printed, price, isSold, genre, hex(code) FROM Volume ORDER BY title",
    "SELECT json_extract(address,'$.street'), address FROM Volume WHERE title='Emma'",
    "SELECT title FROM Volume ORDER BY _sort_price DESC",
    "SELECT c.title, b.title FROM Chapter c JOIN Volume b ON c.volume = b._id ORDER BY _order_chapters",
    "SELECT r.name FROM \"Reader.volumes+Volume.readers\" p JOIN Reader r ON r._id = p.Reader ORDER BY 1",
    "SELECT name FROM _larder_meta ORDER BY 1", "SELECT entity FROM _larder_ids ORDER BY 1", "PRAGMA integrity_check",
  ]

  static let expected = """
    1280459858
    2
    Emma|2026-10-24 00:00:00|1792800000.25|-12.5|1|comedy|0102030405060708090A0B0C0D0E0FFF
    Ulysses|1970-01-01 00:00:00|0.0|100|0|drama|
    High Street|{"numbers":[1,2],"street":"High Street"}
    Ulysses
    Emma
    b|Emma
    a|Emma
    c|Emma
    Ann
    Bob
    schema
    Chapter
    Reader
    Volume
    ok

    """

  @Test(.enabled(if: SQLiteShell.isAvailable, "needs the sqlite3 command"))
  func `the sqlite3 command reads a store`() async throws {
    try await write()
    #expect(try await SQLiteShell.run(Self.queries.joined(separator: ";\n"), on: store.file) == Self.expected)
  }

  @Test(.enabled(if: ChildProcess.find("python3") != nil, "needs python3"))
  func `Python reads a store`() async throws {
    try await write()
    let program = """
      import datetime, decimal, sqlite3, sys, uuid
      store = sqlite3.connect("file:" + sys.argv[1] + "?mode=ro", uri=True)
      for query in sys.argv[2:]:
          for row in store.execute(query):
              print("|".join("" if value is None else str(value) for value in row))
      row = store.execute("SELECT printed, price, isSold, code FROM Volume WHERE _id=1").fetchone()
      printed, price, sold, code = row
      print(datetime.datetime.fromtimestamp(printed, datetime.timezone.utc).isoformat())
      print(decimal.Decimal(price) * 2, bool(sold), uuid.UUID(bytes=code))
      """
    let python = try #require(ChildProcess.find("python3"))
    let output = try await ChildProcess.run(
      python, ["-c", program, store.file.path] + Self.queries, errors: .joined)
    let values = "2026-10-24T00:00:00.250000+00:00\n-25.0 True \(Self.code.uuidString.lowercased())\n"
    #expect(output.text == Self.expected + values)
  }

  @Test func `a select reads what other programs read`() async throws {
    try await write()
    let container = try await store.open(Volume.self, Chapter.self, Reader.self)
    try await container.newContext().perform { objects in
      let names = try objects.select(
        """
        SELECT r.name FROM \(identifier: "Reader.volumes+Volume.readers") p JOIN \(Reader.self) r ON r._id = p.Reader
        WHERE p.Volume = \(1) ORDER BY 1
        """, as: String.self)
      #expect(names == ["Ann", "Bob"])
      #expect(
        try objects.select("SELECT address FROM Volume WHERE title = 'Emma'", as: Address.self)
          == [Address(street: "High Street", numbers: [1, 2])])
    }
  }

  @Test(.enabled(if: SQLiteShell.isAvailable, "needs the sqlite3 command"))
  func `a row that another program inserts as documented is an object`() async throws {
    try await write()
    let container = try await store.open(Volume.self, Chapter.self, Reader.self)
    let context = container.newContext()
    #expect(try await context.perform { try $0.fetch(Chapter.self).count } == 3)
    let id = try await SQLiteShell.run(
      """
      PRAGMA foreign_keys=ON; BEGIN IMMEDIATE;
      UPDATE _larder_ids SET next = next + 1 WHERE entity = 'Chapter' RETURNING next - 1;
      INSERT INTO Chapter(_id,title,volume) SELECT next - 1, 'd', 1 FROM _larder_ids WHERE entity = 'Chapter';
      UPDATE Volume SET title = 'Persuasion', _version = _version + 1 WHERE _id = 1;
      COMMIT
      """, on: store.file)
    #expect(Int(id.trimmingCharacters(in: .whitespacesAndNewlines)) != nil)
    let titles = try await context.persist { objects in
      objects.insert(Chapter.self).title = "e"
      let volume = try #require(try objects.fetch(Volume.self, where: { $0.title == "Persuasion" }).first)
      return volume.chapters.map(\.title)
    }
    #expect(titles == ["b", "a", "c", "d"])
    #expect(try await context.perform { try $0.count(Chapter.self) } == 5)
  }
}
