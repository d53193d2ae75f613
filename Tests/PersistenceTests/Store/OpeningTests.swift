import Foundation
import Persistence
import Testing

private final class Changed: ManagedObject {
  @Attribute var title = ""
}

@Suite struct OpeningTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private func reason(at url: URL? = nil, _ types: ManagedObject.Type...) async throws -> OpenFailure.Reason? {
    do {
      _ = try await PersistentContainer(at: .file(url ?? store.file), schema: Schema(types))
      return nil
    } catch {
      guard case .cannotOpen(let failure) = error else { throw error }
      #expect("\(error)".contains((url ?? store.file).path))
      return failure.reason
    }
  }

  @Test func `opening a store in a missing folder fails and does not create the folder`() async throws {
    let folder = store.folder.appending(path: "missing")
    #expect(try await reason(at: folder.appending(path: "store.db"), Film.self, Director.self) == .missingDirectory)
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }

  @Test func `opening a file that is not a database fails and leaves it unchanged`() async throws {
    let text = Data(String(repeating: "this is a letter to my aunt\n", count: 400).utf8)
    try text.write(to: store.file)
    #expect(try await reason(Film.self, Director.self) == .notADatabase)
    #expect(try Data(contentsOf: store.file) == text)
  }

  @Test func `opening a URL that is not a file URL fails without showing the URL`() async throws {
    let url = try #require(URL(string: "http://somebody:planted-secret@127.0.0.1/store"))
    let error = await #expect(throws: PersistenceError.self) {
      try await PersistentContainer(at: .file(url), schema: Schema(Film.self, Director.self))
    }
    #expect(error?.description.contains("not a file") == true)
    #expect(error?.description.contains("planted-secret") == false)
  }

  @Test func `opening a folder as a store fails`() async throws {
    #expect(try await reason(at: store.folder, Film.self, Director.self) == .notAFile)
  }

  @Test func `opening a store of other classes fails and leaves it unchanged`() async throws {
    _ = try await store.open(Film.self, Director.self)
    let before = try Data(contentsOf: store.file)
    final class Film2: ManagedObject {}
    // A class of the same name with other attributes
    enum Other {
      final class Film: ManagedObject {
        @Attribute var name = ""
      }
    }
    guard case .wrongSchema(let text) = try await reason(Other.Film.self) else {
      Issue.record("the store was opened")
      return
    }
    #expect(text.contains("Film"))
    #expect(try Data(contentsOf: store.file) == before)
  }

  @Test func `only the owner may read and write a store's file and log`() async throws {
    let container = try await store.open(Movie.self, FamilyMember.self)
    try await container.newContext().persist { $0.insert(Movie.self).title = "secret" }
    for name in try FileManager.default.contentsOfDirectory(atPath: store.folder.path) {
      let attributes = try FileManager.default.attributesOfItem(atPath: store.folder.appending(path: name).path)
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
    }
  }

  @Test func `a store that is opened again has its objects`() async throws {
    do {
      let container = try await store.open(Movie.self, FamilyMember.self)
      try await container.newContext().persist { $0.insert(Movie.self).title = "Fargo" }
    }
    let container = try await store.open(Movie.self, FamilyMember.self)
    #expect(try await container.newContext().perform { try $0.fetch(Movie.self).map(\.title) } == ["Fargo"])
    // And a class can be added
    let wider = try await store.open(Changed.self, Movie.self, FamilyMember.self)
    #expect(try await wider.newContext().perform { try $0.count(Movie.self) + $0.count(Changed.self) } == 1)
  }

  @Test func `stores in memory are separate from each other`() async throws {
    let schema = Schema(Movie.self, FamilyMember.self)
    let (one, other) = (
      try await PersistentContainer(at: .inMemory, schema: schema),
      try await PersistentContainer(at: .inMemory, schema: schema)
    )
    try await one.newContext().persist { $0.insert(Movie.self).title = "Fargo" }
    #expect(try await one.newContext().perform { try $0.count(Movie.self) } == 1)
    #expect(try await other.newContext().perform { try $0.count(Movie.self) } == 0)
  }

  @Test func `ids that another program has assigned are not assigned again`() async throws {
    try await store.open(Movie.self, FamilyMember.self, Changed.self).close()
    try await SQLiteShell.run("INSERT INTO Changed(_id,title) VALUES(70,'x')", on: store.file)
    let container = try await store.open(Movie.self, FamilyMember.self, Changed.self)
    let id = try await container.newContext().persist { $0.insert(Changed.self).id }
    #expect(id.rawValue > 70)
  }
}
