import Foundation
import Persistence
import Testing

@Suite struct ConflictTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  /// Two contexts that both hold the same movie, one of them with a change that is pending.
  private func conflict(
    mine: @escaping @Sendable (ObjectSpace, Movie) -> Void, theirs: @escaping @Sendable (ObjectSpace, Movie) -> Void
  ) async throws -> (Conflict?, [String]) {
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
    var found: Conflict?
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

  @Test func `a change of what somebody else has changed is refused, and overwrites nothing`() async throws {
    let (found, titles) = try await conflict { _, mine in
      mine.title = "mine"
    } theirs: { _, theirs in
      theirs.title = "theirs"
    }
    #expect(found?.kind == .changed && found?.type == "Movie" && found?.id == 1)
    #expect(titles == ["theirs"])
  }

  @Test func `a change of what somebody else has deleted is refused`() async throws {
    let (found, titles) = try await conflict { _, mine in
      mine.title = "mine"
    } theirs: {
      $0.delete($1)
    }
    #expect(found?.kind == .deleted && found?.id == 1)
    #expect(titles == [])
  }

  @Test func `a deletion of what somebody else has changed is refused`() async throws {
    let (found, titles) = try await conflict {
      $0.delete($1)
    } theirs: { _, theirs in
      theirs.title = "theirs"
    }
    #expect(found?.kind == .changed && found?.id == 1)
    #expect(titles == ["theirs"])
  }

  @Test func `an object that is held takes what somebody else has saved, when it is fetched again`() async throws {
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

  @Test func `an object that leads to what somebody else has deleted is refused`() async throws {
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
