import Foundation
import Persistence
import Testing

@Suite struct MergeConflictTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  /// Two contexts that hold the same movie, one of them with a pending change.
  private func conflict(
    mine: @escaping @Sendable (ObjectSpace, Movie) -> Void, theirs: @escaping @Sendable (ObjectSpace, Movie) -> Void
  ) async throws -> (MergeConflict?, [String]) {
    let container = try await store.open(Movie.self, FamilyMember.self)
    let (one, other) = (container.newContext(), container.newContext())
    let id = try await one.persist { objects in
      let movie = objects.insert(Movie.self)
      movie.title = "Fargo"
      return movie.id
    }
    let holder = Holder()
    try await one.perform { objects in
      holder.movies = [try objects.object(id)]
      mine(objects, holder.movies[0])
    }
    try await other.persist { theirs($0, try $0.object(id)) }
    var found: MergeConflict?
    do {
      try await one.persist { _ in }
    } catch {
      guard case .conflict(let conflict) = error else { throw error }
      found = conflict
    }
    try await one.perform { _ in holder.movies = [] }
    let titles = try await container.newContext().perform { try $0.fetch(Movie.self).map(\.title) }
    return (found, titles)
  }

  @Test func `saving an attribute that another context changed is a conflict and overwrites nothing`() async throws {
    let (found, titles) = try await conflict { _, mine in
      mine.title = "mine"
    } theirs: { _, theirs in
      theirs.title = "theirs"
    }
    #expect(found?.kind == .changed && found?.type == "Movie" && found?.id == 1)
    #expect(titles == ["theirs"])
  }

  @Test func `saving a change of an object that another context deleted is a conflict`() async throws {
    let (found, titles) = try await conflict { _, mine in
      mine.title = "mine"
    } theirs: {
      $0.delete($1)
    }
    #expect(found?.kind == .deleted && found?.id == 1)
    #expect(titles == [])
  }

  @Test func `deleting an object that another context changed is a conflict`() async throws {
    let (found, titles) = try await conflict {
      $0.delete($1)
    } theirs: { _, theirs in
      theirs.title = "theirs"
    }
    #expect(found?.kind == .changed && found?.id == 1)
    #expect(titles == ["theirs"])
  }

  @Test func `fetching a held object again gives it the values that another context saved`() async throws {
    let container = try await store.open(Movie.self, FamilyMember.self)
    let (one, other) = (container.newContext(), container.newContext())
    let id = try await one.persist { $0.insert(Movie.self).id }
    let holder = Holder()
    try await one.perform { holder.movies = [try $0.object(id)] }
    try await other.persist { try $0.object(id).title = "theirs" }
    try await one.persist { objects in
      let fetched = try objects.fetch(Movie.self)
      #expect(fetched[0] === holder.movies[0] && fetched[0].title == "theirs")
      fetched[0].title += " and mine"
    }
    let title = try await other.perform { try $0.object(id).title }
    #expect(title == "theirs and mine")
    try await one.perform { _ in holder.movies = [] }
  }

  @Test func `saving a relationship to an object that another context deleted is a conflict`() async throws {
    let container = try await store.open(Film.self, Director.self)
    let (one, other) = (container.newContext(), container.newContext())
    let id = try await one.persist { $0.insert(Director.self).id }
    try await one.perform { objects in objects.insert(Film.self).director = try objects.object(id) }
    try await other.persist { objects in objects.delete(try objects.object(id)) }
    await #expect {
      try await one.persist { _ in }
    } throws: { error in
      guard case .conflict(let conflict) = error as? PersistenceError else { return false }
      return conflict.kind == .dangling && conflict.type == "Film"
    }
  }

  @Test func `contexts that write at the same time wait for each other`() async throws {
    let container = try await store.open(Movie.self, FamilyMember.self)
    let id = try await container.newContext().persist { objects in
      let movie = objects.insert(Movie.self)
      movie.popularity = 0
      return movie.id
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        let context = container.newContext()
        group.addTask {
          for _ in 0..<25 {
            try await context.persist { objects in
              let movie = try objects.object(id)
              movie.popularity = (movie.popularity ?? 0) + 1
              objects.insert(Movie.self).title = "another"
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let (popularity, ids) = try await container.newContext().perform { objects in
      (try objects.object(id).popularity, try objects.fetch(Movie.self).map(\.id))
    }
    #expect(popularity == 100)
    #expect(Set(ids).count == 101)
  }
}
