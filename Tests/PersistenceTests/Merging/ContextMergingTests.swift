import Foundation
import Observation
import Testing

@testable import Persistence

/// Contexts of one container merge each other's commits.
@MainActor @Suite struct ContextMergingTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  /// Waits until the view context has merged a commit, which it does before results change.
  private func heard(_ container: PersistentContainer, of commit: () async throws -> Void) async throws {
    let marks = try await container.viewContext.results(FetchDescriptor(Director.self))
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
    withObservationTracking {
      _ = marks.snapshot
    } onChange: {
      continuation.yield()
    }
    try await commit()
    try await container.newContext().persist { _ = $0.insert(Director.self) }
    for await _ in changes { break }
  }

  @Test func `unchanged objects take the values of other contexts' commits, edited ones keep theirs`() async throws {
    let container = try await store.open(Film.self, Director.self)
    let view = container.viewContext
    let films = try view.persist { objects in
      (0..<3).map { number in
        let film = objects.insert(Film.self)
        film.year = number
        return film
      }
    }
    let ids = films.map(\.id)
    films[1].title = "mine"
    try await heard(container) {
      try await container.newContext().persist { objects in
        for id in ids {
          let film = try objects.object(id)
          film.title = "theirs"
          film.year += 10
        }
      }
    }
    #expect(films.map(\.title) == ["theirs", "mine", "theirs"] && films.map(\.year) == [10, 1, 12])
    #expect(films[1].changes.map(\.attribute) == ["title"])
  }

  @Test func `an object that another context deletes becomes deleted, unless it has changes`() async throws {
    let container = try await store.open(Film.self, Director.self)
    let view = container.viewContext
    let films = try view.persist { objects in [objects.insert(Film.self), objects.insert(Film.self)] }
    let ids = films.map(\.id)
    films[1].title = "mine"
    try await heard(container) {
      try await container.newContext().persist { objects in
        for id in ids { objects.delete(try objects.object(id)) }
      }
    }
    #expect(films[0].isDeleted && !films[1].isDeleted && films[1].title == "mine")
    #expect {
      try view.save()
    } throws: { error in
      guard case .conflict(let conflict) = error as? PersistenceError else { return false }
      return conflict.kind == .deleted
    }
  }

  @Test func `loaded relationships follow other contexts' commits`() async throws {
    let container = try await store.open(Film.self, Director.self, Movie.self, FamilyMember.self)
    let view = container.viewContext
    let (director, movie) = try view.persist { objects in
      let director = objects.insert(Director.self)
      director.films.insert(objects.insert(Film.self))
      return (director, objects.insert(Movie.self))
    }
    #expect(director.films.map { $0 }.count == 1 && movie.familyMembers.map { $0 }.isEmpty)
    let (directorID, movieID) = (director.id, movie.id)
    try await heard(container) {
      try await container.newContext().persist { objects in
        objects.insert(Film.self).director = try objects.object(directorID)
        objects.insert(FamilyMember.self).movies.insert(try objects.object(movieID))
      }
    }
    #expect(director.films.map { $0 }.count == 2 && movie.familyMembers.map { $0 }.count == 1)
  }

  @Test func `an object that is read after a commit does not return to older values`() async throws {
    let container = try await store.open(Film.self, Director.self)
    let view = container.viewContext
    let film = try view.persist { $0.insert(Film.self) }
    let id = film.id
    let context = container.newContext()
    try await heard(container) {
      for year in 1...20 { try await context.persist { try $0.object(id).year = year } }
      _ = try view.fetch(Film.self)
      #expect(film.year == 20)
    }
    #expect(film.year == 20)
    film.title = "and saved"
    try view.save()
    #expect(try await context.perform { try $0.object(id).title } == "and saved")
  }

  fileprivate enum OtherCommit: CaseIterable {
    case change, deletion, bulkChange, bulkDeletion, unknownChange, unknownDeletion

    var isDeletion: Bool { [.deletion, .bulkDeletion, .unknownDeletion].contains(self) }
  }

  fileprivate enum OwnChange: CaseIterable { case edit, fetchedEdit, deletion }

  @Test(arguments: OtherCommit.allCases, OwnChange.allCases)
  fileprivate func `an object whose changes are discarded takes over what others have committed since`(
    commit: OtherCommit, change: OwnChange
  ) async throws {
    let container = try await store.open(Film.self, Director.self)
    let (view, context) = (container.viewContext, container.newContext())
    let (film, other) = try view.persist { ($0.insert(Film.self), $0.insert(Film.self)) }
    let id = film.id
    if change == .deletion { view.delete(film) } else { film.title = "mine" }
    // To consider the change, the fetch prepares it for writing.
    if change == .fetchedEdit { #expect(try view.fetch(Film.self) { $0.title == "mine" }.count == 1) }
    switch commit {
    case .unknownChange, .unknownDeletion:
      let connection = try Connection(StorePlace(.file(store.file)), StoreConfiguration())
      let objects = try view.objects
      let table = objects.registries[0].entity.table
      try connection.execute(
        commit.isDeletion
          ? "DELETE FROM \(table) WHERE _id=\(id.rawValue)"
          : "UPDATE \(table) SET year=7,_version=_version+1 WHERE _id=\(id.rawValue)")
      objects.whileIsolated { $0.receive(ChangeSet(everythingOf: $0.schema)) }
    default:
      try await heard(container) {
        try await context.persist { objects in
          switch commit {
          case .change: try objects.object(id).year = 7
          case .deletion: objects.delete(try objects.object(id))
          case .bulkChange: try objects.update(Film.self, where: { $0.id == id }, set: [.set(\.year, to: 7)])
          default: try objects.delete(Film.self, where: { $0.id == id })
          }
        }
      }
    }
    #expect(throws: PersistenceError.self) {
      try view.persist { _ in
        other.title = "other"
        throw Refused()
      }
    }
    #expect(film.isDeleted == (change == .deletion) && film.year == 0)
    view.rollback()
    #expect(film.isDeleted == commit.isDeletion)
    #expect(try (view.objects.existingObject(id) == nil) == commit.isDeletion)
    guard !commit.isDeletion else { return }
    #expect(film.year == 7 && film.title.isEmpty)
    film.title = "again"
    try view.save()
    #expect(try await context.perform { try $0.object(id).title } == "again")
  }

  private struct Refused: Error {}

  @Test(arguments: [false, true], [false, true])
  func `after a conflict an object has the values that caused it, and can be changed again`(
    isDeleted: Bool, deletes: Bool
  ) throws {
    let opened = try Store(.file(store.file), Schema([Film.self, Director.self]), StoreConfiguration())
    // They do not receive each other's commits.
    let (mine, theirs) = (try ObjectSpace(opened.access), try ObjectSpace(opened.access))
    let films = try mine.persist { objects in (0..<2).map { _ in objects.insert(Film.self) } }
    try theirs.persist { objects in
      for film in try objects.fetch(Film.self) {
        if isDeleted { objects.delete(film) } else { film.title = "theirs" }
      }
    }
    func change() throws {
      try mine.persist { objects in
        for film in films { if deletes { objects.delete(film) } else { film.title += "mine" } }
      }
    }
    if deletes && isDeleted { return try change() }
    #expect(throws: PersistenceError.self) { try change() }
    try mine.perform { _ in
      #expect(films.allSatisfy { isDeleted ? $0.isDeleted : $0.title == "theirs" })
    }
    guard !isDeleted else { return }
    try change()
    #expect(
      try theirs.perform { try $0.fetch(Film.self).map(\.title) } == (deletes ? [] : ["theirsmine", "theirsmine"]))
  }

  @Test func `an object whose row was deleted and restored merges commits, even 3000 lives later`() async throws {
    let container = try await store.open(Film.self, Director.self)
    let (view, context) = (container.viewContext, container.newContext())
    await context.setUndoLimit(10)
    let id = try await context.persist { $0.insert(Film.self).id }
    let film = try view.object(id)
    film.title = "mine"
    // An object with pending changes does not become deleted.
    try await heard(container) { try await context.persist { $0.delete(try $0.object(id)) } }
    let connection = try Connection(StorePlace(.file(store.file)), StoreConfiguration())
    try connection.execute("INSERT INTO _larder_meta VALUES('lives','3000')")
    try await context.undo()
    view.rollback()
    #expect(film.title.isEmpty && !film.isDeleted)
    try await heard(container) { try await context.persist { try $0.object(id).title = "theirs" } }
    #expect(film.title == "theirs")
  }

  @Test func `objects held in a context on another queue follow commits`() async throws {
    let container = try await store.open(Film.self, Director.self)
    let (one, other) = (container.newContext(), container.newContext())
    let id = try await one.persist { $0.insert(Film.self).id }
    let holder = FilmHolder()
    try await other.perform { holder.film = try $0.object(id) }
    try await one.persist { try $0.object(id).title = "new" }
    // The commit has already put its changes on the other context's queue.
    let title = try await other.perform { _ in holder.film?.title }
    #expect(title == "new")
    try await one.persist { objects in objects.delete(try objects.object(id)) }
    let isDeleted = try await other.perform { _ in
      defer { holder.film = nil }
      return holder.film?.isDeleted
    }
    #expect(isDeleted == true)
  }
}

/// `@unchecked Sendable`: used on one context's queue.
final class FilmHolder: @unchecked Sendable {
  var film: Film?
}
