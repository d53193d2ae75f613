import Foundation
import LarderTestSupport
import Testing

@testable import Persistence

/// Objects used outside of their context in ways that the compiler does not check.
@Suite struct IsolationTests {
  private final class Smuggler: @unchecked Sendable {
    var space: ObjectSpace?
    var movie: Movie?
  }

  @Test func `an object space used outside its closure throws an error`() async throws {
    let container = try await PersistentContainer(at: .inMemory, schema: Schema(Movie.self, FamilyMember.self))
    let context = container.newContext()
    let smuggler = Smuggler()
    let id = try await context.persist { objects in
      smuggler.space = objects
      return objects.insert(Movie.self).id
    }
    let space = try #require(smuggler.space)
    for body in [
      { _ = try $0.fetch(Movie.self) }, { _ = try $0.object(id) }, { _ = try $0.count(Movie.self) },
    ] as [(ObjectSpace) throws -> Void] {
      #expect {
        try body(space)
      } throws: { error in
        guard case .wrongContext = error as? PersistenceError else { return false }
        return true
      }
    }
    smuggler.space = nil
  }

  @Test func `the documented escapes from a context compile as Swift 5, three of them as Swift 6`() async throws {
    let flags = ["-emit-sil", "-o", "/dev/null", "-suppress-warnings"]
    let old = try await ClientCode.compile("Escapes.swift", ["-swift-version", "5", "-D", "SWIFT5"] + flags)
    #expect(old.succeeded, "\(old.output)")
    let new = try await ClientCode.compile("Escapes.swift", flags)
    #expect(new.succeeded, "\(new.output)")
    let wrong = try await ClientCode.compile("Escapes.swift", ["-D", "SWIFT5"] + flags)
    #expect(wrong.output.split(separator: "\n").count { $0.contains("error: ") } >= 8, "\(wrong.output)")
  }

  #if DEBUG
  /// Every access to an object and to a relationship.
  enum Access: String, CaseIterable, Codable {
    case read, write, readToOne, writeToOne, readToMany, assignToMany, count, isEmpty, first, contains, iterate, insert
    case insertAt, remove, removeAll, changes

    func perform(_ film: Film, _ director: Director, _ films: RelatedObjects<Film>) {
      switch self {
      case .read: _ = film.title
      case .write: film.title = "late"
      case .readToOne: _ = film.director
      case .writeToOne: film.director = nil
      case .readToMany: _ = director.films
      case .assignToMany: director.films = []
      case .count: _ = films.count
      case .isEmpty: _ = films.isEmpty
      case .first: _ = films.first
      case .contains: _ = films.contains(film)
      case .iterate: for _ in films {}
      case .insert: films.insert(film)
      case .insertAt: films.insert(film, at: 0)
      case .remove: films.remove(film)
      case .removeAll: films.removeAll()
      case .changes: _ = film.changes
      }
    }
  }

  /// Runs in a separate process, which must stop because of the access and for no other reason.
  private static func access(_ access: Access, isLate: Bool) async throws {
    let container = try await PersistentContainer(at: .inMemory, schema: Schema(Film.self, Director.self))
    let smuggler = FilmSmuggler()
    let context = container.newContext()
    try await context.persist { objects in
      let (film, director) = (objects.insert(Film.self), objects.insert(Director.self))
      director.films.insert(film)
      smuggler.content = (film, director, director.films)
      if !isLate { access.perform(film, director, director.films) }
    }
    if isLate, let (film, director, films) = smuggler.content { access.perform(film, director, films) }
    try await context.persist { _ in smuggler.content = nil }
  }

  @Test(arguments: Access.allCases)
  func `every access to an object outside its context stops the program in debug builds`(_ access: Access) async throws
  {
    // Within the closure the access is allowed.
    try await Self.access(access, isLate: false)
    await #expect(processExitsWith: .failure) { [access = access as Access] in
      try await IsolationTests.access(access, isLate: true)
    }
  }
  #endif

  // Without the stop, as in release builds

  private func containers() async throws -> (PersistentContainer, ObjectContext, ObjectContext) {
    let container = try await PersistentContainer(at: .inMemory, schema: Schema(Film.self, Director.self)) {
      $0.stopsOutsideContext = false
    }
    return (container, container.newContext(), container.newContext())
  }

  @Test func `editing another context's object fails the closure, from either side of a relationship`() async throws {
    let (container, mine, other) = try await containers()
    let smuggler = FilmSmuggler()
    try await other.persist { objects in
      let (film, director) = (objects.insert(Film.self), objects.insert(Director.self))
      smuggler.content = (film, director, director.films)
    }
    let edits: [(String, @Sendable (ObjectSpace, Film, Director) -> Void)] = [
      ("Film", { objects, film, _ in film.director = objects.insert(Director.self) }),
      ("Film", { _, film, _ in film.director = nil }),
      ("Film", { _, film, _ in film.title = "late" }),
      ("Film", { objects, film, _ in objects.insert(Director.self).films.insert(film) }),
      ("Film", { objects, film, _ in objects.delete(film) }),
      ("Director", { objects, _, director in objects.insert(Film.self).director = director }),
      ("Director", { objects, _, director in director.films.insert(objects.insert(Film.self)) }),
      ("Director", { objects, _, director in director.films = [objects.insert(Film.self)] }),
    ]
    for (type, edit) in edits {
      await #expect {
        try await mine.persist { objects in
          if let (film, director, _) = smuggler.content { edit(objects, film, director) }
        }
      } throws: { error in
        guard case .foreignObject(type) = error as? PersistenceError else { return false }
        return true
      }
    }
    // The other context is unchanged, and nothing was stored.
    try await other.persist { _ in
      #expect(smuggler.content?.0.title == "" && smuggler.content?.0.director == nil)
      smuggler.content = nil
    }
    let counts = try await container.newContext().perform { (try $0.count(Film.self), try $0.count(Director.self)) }
    #expect(counts == (1, 1))
  }

  @Test func `an edit outside any closure fails the next closure of the object's context`() async throws {
    let (_, context, _) = try await containers()
    let smuggler = FilmSmuggler()
    try await context.persist { objects in
      let (film, director) = (objects.insert(Film.self), objects.insert(Director.self))
      smuggler.content = (film, director, director.films)
    }
    smuggler.content?.0.title = "late"
    await #expect {
      try await context.persist { _ in }
    } throws: { error in
      guard case .wrongContext = error as? PersistenceError else { return false }
      return true
    }
    try await context.persist { _ in
      #expect(smuggler.content?.0.title == "")
      smuggler.content = nil
    }
  }
}

private final class FilmSmuggler: @unchecked Sendable {
  var content: (Film, Director, RelatedObjects<Film>)?
}
