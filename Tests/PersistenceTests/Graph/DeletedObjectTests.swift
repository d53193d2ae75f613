import Foundation
import Testing

@testable import Persistence

/// Edits of deleted objects.
@MainActor @Suite struct DeletedObjectTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  /// A view context that holds a film and its director, after another context has deleted the film.
  private func deletedFilm(_ policy: MergePolicy = .report) async throws -> (PersistentContainer, Film, Director) {
    let container = try await store.open(Film.self, Director.self)
    let view = container.viewContext
    view.setMergePolicy(policy)
    let (film, director) = (view.insert(Film.self), view.insert(Director.self))
    (film.title, film.director) = ("Fargo", director)
    try view.save()
    let id = film.id
    try await container.newContext().persist { $0.delete(try $0.object(id)) }
    await container.settle()
    #expect(film.isDeleted)
    return (container, film, director)
  }

  private func conflict(_ body: () throws -> Void) -> MergeConflict? {
    do {
      try body()
    } catch {
      if case .conflict(let conflict) = error as? PersistenceError { return conflict }
    }
    return nil
  }

  @Test func `an edit of an object whose deletion was merged fails every save until a rollback`() async throws {
    let (container, film, _) = try await deletedFilm()
    let view = container.viewContext
    film.title = "Fargo 1"
    film.year = 1996
    film.title = "Fargo 2"
    #expect(film.title == "Fargo" && view.hasChanges)
    for _ in 0..<2 {
      let found = try #require(conflict { try view.save() })
      #expect(found.kind == .deleted && found.type == "Film" && found.id == film.id.rawValue)
      #expect(found.attributes.map(\.attribute) == ["title", "year"])
      #expect(found.attributes.map(\.mine) == [.text("Fargo 2"), .integer(1996)])
      #expect("\(found)".contains("title, year"))
    }
    view.rollback()
    #expect(!view.hasChanges)
    view.insert(Film.self).title = "another"
    try view.save()
  }

  @Test func `an edit made before another context's deletion is merged fails the save`() async throws {
    let container = try await store.open(Film.self, Director.self)
    let view = container.viewContext
    let film = try view.persist { $0.insert(Film.self) }
    film.title = "Fargo"
    let id = film.id
    try await container.newContext().persist { $0.delete(try $0.object(id)) }
    await container.settle()
    let found = try #require(conflict { try view.save() })
    #expect(found.kind == .deleted && found.attributes.map(\.attribute) == ["title"])
    #expect(found.attributes.map(\.mine) == [.text("Fargo")] && found.attributes.map(\.theirs) == [.null])
  }

  @Test func `a policy that prefers the deletion discards edits of the deleted object`() async throws {
    let (container, film, director) = try await deletedFilm(.theirs)
    let view = container.viewContext
    film.title = "Fargo 2"
    film.director = nil
    director.films.insert(film)
    #expect(!view.hasChanges && director.films.isEmpty)
    try view.save()
  }

  @Test func `changing a relationship of a deleted object fails the save`() async throws {
    let (container, film, director) = try await deletedFilm()
    let view = container.viewContext
    film.director = nil
    #expect(conflict { try view.save() }?.attributes.map(\.attribute) == ["director"])
    view.rollback()
    director.films.insert(film)
    #expect(conflict { try view.save() }?.type == "Film")
    view.rollback()
    let id = director.id
    try await container.newContext().persist { $0.delete(try $0.object(id)) }
    await container.settle()
    let other = view.insert(Film.self)
    director.films.insert(other)
    #expect(conflict { try view.save() }?.attributes.map(\.attribute) == ["films"])
    view.rollback()
    view.insert(Film.self).director = director
    #expect(conflict { try view.save() }?.type == "Director")
    view.rollback()
    try view.save()
  }

  @Test(arguments: [MergePolicy.report, .mine, .theirs])
  func `an assignment to an object deleted in the same closure fails it and rolls it back`(
    _ policy: MergePolicy
  ) async throws {
    let container = try await store.open(Film.self, Director.self)
    let context = container.newContext(merging: policy)
    let id = try await context.persist { objects in
      let film = objects.insert(Film.self)
      film.title = "Fargo"
      return film.id
    }
    await #expect {
      try await context.persist { objects in
        let film = try objects.object(id)
        objects.delete(film)
        film.title = "late"
      }
    } throws: { error in
      guard case .conflict(let conflict) = error as? PersistenceError else { return false }
      return conflict.kind == .deleted && conflict.attributes.map(\.attribute) == ["title"]
        && !conflict.description.contains("elsewhere")
    }
    #expect(try await context.perform { try $0.object(id).title } == "Fargo")
  }

  @Test func `an edit of an object whose insertion was rolled back fails the save`() async throws {
    let container = try await store.open(Film.self, Director.self)
    let view = container.viewContext
    let film = view.insert(Film.self)
    view.rollback()
    film.title = "lost"
    #expect(conflict { try view.save() }?.attributes.map(\.attribute) == ["title"])
    view.rollback()
    try view.save()
  }

  @Test func `assigning the current value to a deleted object's attribute is not an edit`() async throws {
    let (container, film, _) = try await deletedFilm()
    film.title = "Fargo"
    try container.viewContext.save()
  }

  @Test func `a deleted object may outlive its context`() async throws {
    var film: Film?
    do {
      let (container, deleted, _) = try await deletedFilm()
      film = deleted
      await container.close()
    }
    film?.title = "nobody listens"
    #expect(film?.title == "Fargo")
  }
}
