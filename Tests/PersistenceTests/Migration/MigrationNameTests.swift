import Foundation
import Persistence
import Testing

private enum Before {
  final class Movie: ManagedObject {
    @Attribute var title = ""
    @Attribute var year = 0
    @ToOne var studio: Before.Studio?
    @ToMany(inverse: \Before.Actor.movies) var cast: RelatedObjects<Before.Actor>
  }
  final class Actor: ManagedObject {
    @Attribute var name = ""
    @ToMany(ordered: true) var movies: RelatedObjects<Before.Movie>
  }
  final class Studio: ManagedObject {
    @Attribute var name = ""
    @ToMany(inverse: \Before.Movie.studio) var movies: RelatedObjects<Before.Movie>
  }
  static let schema = Schema(Movie.self, Actor.self, Studio.self)
}

private enum After {
  final class Movie: ManagedObject {
    @Attribute var headline = ""
    @Attribute var year = 0
    @ToOne var studio: After.Company?
    @ToMany(inverse: \After.Actor.movies) var actors: RelatedObjects<After.Actor>
  }
  final class Actor: ManagedObject {
    @Attribute var name = ""
    @ToMany(ordered: true) var movies: RelatedObjects<After.Movie>
  }
  final class Company: ManagedObject {
    @Attribute var name = ""
    @ToMany(inverse: \After.Movie.studio) var releases: RelatedObjects<After.Movie>
  }
  static let schema = Schema(Movie.self, Actor.self, Company.self)
}

/// Has no title, and no movies of a studio.
private enum Later {
  final class Movie: ManagedObject {
    @Attribute var year = 0
    @Attribute var label = "new"
  }
  final class Actor: ManagedObject {
    @Attribute var name = ""
  }
  final class Company: ManagedObject {
    @Attribute var name = ""
  }
  static let schema = Schema(Movie.self, Actor.self, Company.self)
}

/// Names in migration steps that lead nowhere.
@Suite struct MigrationNameTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private static let title = MigrationStep.rename("title", of: "Movie", to: "headline", in: 2)
  private static let cast = MigrationStep.rename("cast", of: "Movie", to: "actors", in: 2)
  private static let company = MigrationStep.renameClass("Studio", to: "Company", in: 2)
  private static let implied = MigrationStep.rename("movies", of: "Company", to: "releases", in: 2)

  private func fill() async throws {
    let container = try await PersistentContainer(at: .file(store.file), schema: Before.schema)
    try await container.newContext().persist { objects in
      let movie = objects.insert(Before.Movie.self)
      movie.title = "Fargo"
      let studio = objects.insert(Before.Studio.self)
      studio.name = "Gramercy"
      movie.studio = studio
      let actor = objects.insert(Before.Actor.self)
      actor.name = "Frances"
      movie.cast = RelatedObjects([actor])
    }
    await container.close()
  }

  private func contents(_ container: PersistentContainer) async throws -> [String] {
    try await container.newContext().perform { objects in
      try objects.fetch(After.Movie.self).flatMap { [$0.headline] + $0.actors.map(\.name) + [$0.studio?.name ?? ""] }
        + objects.fetch(After.Company.self).flatMap { $0.releases.map(\.headline) }
    }
  }

  private static let whole = ["Fargo", "Frances", "Gramercy", "Fargo"]

  private func open(_ schema: Schema) async throws -> PersistentContainer {
    try await PersistentContainer(at: .file(store.file), schema: schema)
  }

  private func refusal(_ schema: Schema) async throws -> String {
    do {
      _ = try await open(schema)
      return "opened"
    } catch PersistenceError.cannotOpen(let failure) {
      guard case .wrongSchema(let text) = failure.reason else { return "\(failure)" }
      return text
    } catch PersistenceError.migrationFailed(let failure) {
      guard case .refused(let text) = failure.reason else { return "\(failure)" }
      return text
    }
  }

  @Test(
    arguments: [
      ([.rename("titel", of: "Movie", to: "headline", in: 2), cast, company], "did you mean title?"),
      ([.rename("Title", of: "Movie", to: "headline", in: 2), cast, company], "did you mean title?"),
      ([.rename("caption", of: "Movie", to: "headline", in: 2), cast, company], "it has title, year, studio, cast"),
      ([.rename("title", of: "Moive", to: "headline", in: 2), cast, company], "did you mean Movie?"),
      ([.rename("title", of: "Movie", to: "headlin", in: 2), cast, company], "did you mean headline?"),
      ([.rename("title", of: "Movie", to: "caption", in: 2), cast, company], "it has headline, year, studio, actors"),
      ([title, .rename("casts", of: "Movie", to: "actors", in: 2), company], "did you mean cast?"),
      ([title, .rename("cast", of: "Movie", to: "acters", in: 2), company], "did you mean actors?"),
      ([title, cast, .renameClass("Studoi", to: "Company", in: 2)], "did you mean Studio?"),
      ([title, cast, .renameClass("Studio", to: "Compny", in: 2)], "did you mean Company?"),
      ([title, cast, company, .rename("nmae", of: "Company", to: "name", in: 2)], "did you mean name?"),
      (
        [.rename("title", of: "Movie", to: "headlin", in: 2), cast, company, .custom("x", in: 2) { _ in }], "headline?"
      ),
      ([.custom("x", in: 2) { _ in }, .rename("titel", of: "Movie", to: "headline", in: 2), cast, company], "title?"),
    ] as [([MigrationStep], String)])
  func `a misspelled name in a step is refused, and nothing changes`(_ steps: [MigrationStep], _ hint: String)
    async throws
  {
    try await fill()
    let schema = After.schema.version(2, steps)
    let text = try await refusal(schema)
    #expect(text.contains(hint), "\(text)")
    if !steps.contains(where: { $0.name == "x" }) {
      #expect(try FileManager.default.contentsOfDirectory(atPath: store.folder.path) == ["store.db"])
      await #expect(throws: PersistenceError.self) {
        _ = try await PersistentContainer.previewMigration(at: store.file, schema: schema)
      }
    }
    let mended = After.schema.version(2, [Self.title, Self.cast, Self.company, Self.implied])
    #expect(try await contents(open(mended)) == Self.whole)
  }

  @Test func `a misspelled name in a custom step is refused, and nothing changes`() async throws {
    try await fill()
    let bodies: [(String, @Sendable (MigrationStore) throws -> Void)] = [
      ("did you mean title?", { try $0.rename("titel", of: "Movie", to: "headline") }),
      ("did you mean cast?", { try $0.rename("casts", of: "Movie", to: "actors") }),
      ("did you mean Movie?", { try $0.rename("title", of: "Moive", to: "headline") }),
      ("did you mean Studio?", { try $0.renameClass("Studi", to: "Company") }),
      ("did you mean title?", { try $0.forEachRow(of: "Movie") { _ = try $0["titel"] } }),
      ("did you mean title?", { try $0.update("Movie", id: 1, ["titel": .text("")]) }),
      ("did you mean year?", { try $0.removeAttribute("yaer", of: "Movie") }),
      ("did you mean Actor?", { try $0.removeClass("Actro") }),
      ("did you mean Actor?", { try $0.addToOne("lead", of: "Movie", to: "Acto") }),
      ("did you mean Actor?", { try $0.addManyToMany("leads", of: "Movie", inverse: "led", of: "Acto") }),
      ("already has a class Actor", { try $0.addClass("Actor") }),
    ]
    for (hint, body) in bodies {
      let step = MigrationStep.custom("the step", in: 2, body)
      let text = try await refusal(After.schema.version(2, [step, Self.title, Self.cast, Self.company]))
      #expect(text.contains(hint), "\(text)")
    }
    let renames = MigrationStep.custom("all names", in: 2) { store in
      try store.rename("title", of: "Movie", to: "headline")
      try store.renameClass("Studio", to: "Company")
      try store.rename("movies", of: "Company", to: "releases")
      try store.rename("cast", of: "Movie", to: "actors")
    }
    #expect(try await contents(open(After.schema.version(2, [renames]))) == Self.whole)
  }

  @Test func `names lead through the versions after a step`() async throws {
    try await fill()
    let steps: [MigrationStep] = [
      .rename("title", of: "Movie", to: "caption", in: 2), .rename("movies", of: "Studio", to: "films", in: 2),
      .renameClass("Studio", to: "House", in: 2), .rename("cast", of: "Movie", to: "people", in: 2),
      .rename("caption", of: "Movie", to: "headline", in: 3), .rename("films", of: "House", to: "releases", in: 3),
      .renameClass("House", to: "Company", in: 3), .rename("people", of: "Movie", to: "actors", in: 3),
    ]
    let container = try await open(After.schema.version(3, steps))
    #expect(try await contents(container) == Self.whole)
    await container.close()
    // What has been applied is not looked up again, however it is spelled.
    let wrong = steps + [.renameClass("Nobody", to: "Nothing", in: 3), .rename("x", of: "Movie", to: "y", in: 3)]
    #expect(try await contents(open(After.schema.version(3, wrong))) == Self.whole)
  }

  @Test func `names that only versions in between have had are not missed`() async throws {
    try await fill()
    let steps: [MigrationStep] = [
      Self.title, Self.cast, Self.company, Self.implied,
      // The second version has added and removed these.
      .rename("tag", of: "Movie", to: "label", in: 3), .renameClass("Award", to: "Prize", in: 3),
      .rename("won", of: "Prize", to: "given", in: 3),
    ]
    let wrong = steps.dropFirst() + [.rename("titel", of: "Movie", to: "headline", in: 3)]
    #expect(try await refusal(After.schema.version(3, Array(wrong))).contains("did you mean title?"))
    let labels = try await open(Later.schema.version(4, steps)).newContext().perform { objects in
      try objects.fetch(Later.Movie.self).map(\.label) + objects.fetch(Later.Company.self).map(\.name)
    }
    #expect(labels == ["new", "Gramercy"])
  }
}
