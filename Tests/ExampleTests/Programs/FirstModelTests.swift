import Foundation
import LarderTestSupport
import Persistence
import Testing

/// The classes of the first version of `MustC`, which wrote the store that the program includes.
enum FirstClasses {
  final class FamilyMember: ManagedObject {
    @Attribute var name = ""
    @ToMany(inverse: \Movie.familyMembers) var movies: RelatedObjects<Movie>
  }

  final class Movie: ManagedObject {
    @Attribute var title = ""
    @ToMany var familyMembers: RelatedObjects<FamilyMember>
  }

  static let schema = Schema(FamilyMember.self, Movie.self)
}

/// The classes of the second version, where no two movies had the same title.
enum SecondClasses {
  final class FamilyMember: ManagedObject {
    @Attribute(.unique) var name = ""
    @ToMany(inverse: \Movie.familyMembers) var movies: RelatedObjects<Movie>
  }

  final class Movie: ManagedObject {
    @Attribute var title = ""
    @Attribute(.unique) var key = ""
    @Attribute(.unique) var remoteID: Int64?
    @Attribute var popularity: Double?
    @Attribute var rating: Double?
    @ToMany var familyMembers: RelatedObjects<FamilyMember>
  }

  static let schema = Schema(FamilyMember.self, Movie.self).version(2)
}

@Suite struct FirstModelTests {
  private let mustC = Program(name: "MustC")
  private let folder: TemporaryFolder
  private var store: String { folder.path("mustc.store") }

  private static let carried = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Sources/Examples/MustC/FirstModel.store").standardizedFileURL

  init() throws {
    folder = try TemporaryFolder()
    try Data(contentsOf: FirstModelTests.carried).write(to: URL(filePath: store))
  }

  struct Row: Decodable, Equatable {
    let title: String
    let rating: Double?
    let members: [String]
  }

  @Test func `a store of the first model has titles, members and nothing else`() async throws {
    let container = try await PersistentContainer(at: .file(URL(filePath: store)), schema: FirstClasses.schema)
    #expect(container.migration == nil)
    let titles = try await container.newContext().perform { objects in
      try objects.fetch(FirstClasses.Movie.self, sort: \.title).map(\.title)
    }
    #expect(titles == ["Amélie", "Fargo", "Seven Samurai"])
  }

  /// When the file format changes, a new file is needed.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["LARDER_MAKE_STORES"] != nil, "makes the file again"))
  func `the carried store of the first model can be rewritten`() async throws {
    let scratch = URL(filePath: folder.path("new.store"))
    let container = try await PersistentContainer(at: .file(scratch), schema: FirstClasses.schema)
    try await container.newContext().persist { objects in
      let (ada, grace) = (
        objects.insert(FirstClasses.FamilyMember.self), objects.insert(FirstClasses.FamilyMember.self)
      )
      (ada.name, grace.name) = ("Ada", "Grace")
      for (title, members) in [("Fargo", [ada]), ("Amélie", [ada, grace]), ("Seven Samurai", [grace])] {
        let movie = objects.insert(FirstClasses.Movie.self)
        movie.title = title
        movie.familyMembers = RelatedObjects(members)
      }
    }
    let carried = FirstModelTests.carried
    if FileManager.default.fileExists(atPath: carried.path) { try FileManager.default.removeItem(at: carried) }
    try await container.backup(to: carried)
    await container.close()
  }

  @Test func `today's program migrates a store of the first model once and loses nothing`() async throws {
    let first = try await mustC("list", "--store", store)
    #expect(first.status == 0, "\(first.errors)")
    #expect(first.errors == "The store was migrated from version 1 to version 3.\n")
    let list = try await mustC("list", "--store", store, "--json")
    #expect(list.errors.isEmpty)
    #expect(
      try list.json([Row].self) == [
        Row(title: "Amélie", rating: nil, members: ["Ada", "Grace"]),
        Row(title: "Fargo", rating: nil, members: ["Ada"]),
        Row(title: "Seven Samurai", rating: nil, members: ["Grace"]),
      ])
    let refresh = try await mustC("refresh", "--store", store, "--seed", "1")
    #expect(refresh.text == "newData: 3 updated, 0 failed\n")
    let again = try await mustC("add", "AMELIE", "--member", "Alan", "--store", store, "--seed", "1", "--json")
    #expect(try again.json(Row.self).members == ["Ada", "Alan", "Grace"])
  }

  @Test func `movies with titles that differ only in case and accents are both kept`() async throws {
    let container = try await PersistentContainer(at: .file(URL(filePath: store)), schema: FirstClasses.schema)
    try await container.newContext().persist { $0.insert(FirstClasses.Movie.self).title = "AMELIE" }
    let list = try await mustC("list", "--store", store, "--json").json([Row].self)
    #expect(list.map(\.title).sorted() == ["AMELIE", "Amélie", "Fargo", "Seven Samurai"])
  }

  @Test func `a store of the second model, where titles were unique, accepts two movies of one title`() async throws {
    let second = folder.path("second.store")
    let container = try await PersistentContainer(at: .file(URL(filePath: second)), schema: SecondClasses.schema)
    try await container.newContext().persist { objects in
      for (key, id) in [("fargo", 275), ("fargo (2)", nil)] as [(String, Int64?)] {
        let movie = objects.insert(SecondClasses.Movie.self)
        (movie.title, movie.key, movie.remoteID, movie.rating) = ("Fargo", key, id, id.map { _ in 7.9 })
      }
    }
    await container.close()
    let output = try await mustC("list", "--store", second, "--json")
    #expect(output.status == 0, "\(output.errors)")
    #expect(
      Set(try output.json([Row].self).map(\.rating)) == [7.9, nil])
    let added = try await mustC(
      "add", "FARGO", "--year", "1952", "--member", "Ada", "--store", second, "--base-url", nowhere)
    #expect(added.status == 0, "\(added.errors)")
    #expect(try await mustC("list", "--store", second, "--json").json([Row].self).count == 3)
  }

  /// A URL with no listener: no service uses that port.
  private var nowhere: String { "http://127.0.0.1:9" }
}
