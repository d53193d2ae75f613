import Foundation
import Persistence
import Testing

@Suite struct UnitOfWorkTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private func container() async throws -> PersistentContainer { try await store.open(Movie.self, FamilyMember.self) }

  private func titles(_ container: PersistentContainer) async throws -> [String] {
    try await container.newContext().perform { try $0.fetch(Movie.self, sort: [.ascending(\.title)]).map(\.title) }
  }

  private func fill(_ context: ObjectContext, _ titles: String...) async throws {
    try await context.persist { objects in
      for (index, title) in titles.enumerated() {
        let movie = objects.insert(Movie.self)
        movie.title = title
        movie.remoteID = Int64(index)
      }
    }
  }

  @Test(arguments: [false, true])
  func `a closure that throws leaves objects and store unchanged`(flushed: Bool) async throws {
    let container = try await container()
    let context = container.newContext()
    try await fill(context, "a", "b")
    await #expect(throws: PersistenceError.self) {
      try await context.persist { objects in
        let movies = try objects.fetch(Movie.self)
        let (changed, deleted) = (movies[0], movies[1])
        changed.title = "x"
        changed.title = "y"
        let inserted = objects.insert(Movie.self)
        inserted.title = "ghost"
        objects.delete(deleted)
        if flushed {
          #expect(try objects.fetch(Movie.self).map(\.title) == ["y", "ghost"])
          inserted.title = "later"
          changed.title = "z"
          #expect(try objects.count(Movie.self) == 2)
        }
        throw Stop()
      }
    }
    #expect(try await context.perform { try $0.fetch(Movie.self).map(\.title) } == ["a", "b"])
    #expect(try await titles(container) == ["a", "b"])
  }

  @Test func `held objects have their earlier values after a failing closure`() async throws {
    let container = try await container()
    let context = container.newContext()
    try await fill(context, "a", "b")
    // Given pending changes
    let holder = Holder()
    try await context.perform { objects in
      let movies = try objects.fetch(Movie.self)
      movies[0].title = "pending"
      holder.movies = movies + [objects.insert(Movie.self)]
      holder.movies[2].title = "pending insert"
    }
    // When a closure fails that changes the same objects, deletes one and inserts another
    await #expect(throws: PersistenceError.self) {
      try await context.persist { objects in
        holder.movies[0].title = "body"
        holder.movies[2].title = "body"
        _ = try objects.fetch(Movie.self)
        objects.delete(holder.movies[1])
        objects.delete(holder.movies[2])
        holder.movies.append(objects.insert(Movie.self))
        throw Stop()
      }
    }
    // Then the pending changes are still pending
    try await context.perform { objects in
      #expect(holder.movies.map(\.isDeleted) == [false, false, false, true])
      #expect(holder.movies[0].title == "pending")
      #expect(holder.movies[2].title == "pending insert")
      #expect(objects.hasChanges)
      let titles = try objects.fetch(Movie.self).map(\.title)
      #expect(titles == ["pending", "b", "pending insert"])
      #expect(objects.hasChanges)
    }
    #expect(try await titles(container) == ["a", "b"])
    // And the next persist saves them
    try await context.persist { _ in holder.movies[1].title = "last" }
    #expect(try await titles(container) == ["last", "pending", "pending insert"])
    try await context.perform { objects in
      #expect(!objects.hasChanges)
      holder.movies = []
    }
  }

  @Test func `a fetch in a closure includes the changes of the closure`() async throws {
    let container = try await container()
    let context = container.newContext()
    try await fill(context, "a", "b", "c")
    try await context.persist { objects in
      let movies = try objects.fetch(Movie.self)
      movies[1].title = "z"
      objects.delete(movies[0])
      objects.insert(Movie.self).title = "m"
      #expect(try objects.fetch(Movie.self, sort: [.descending(\.title)]).map(\.title) == ["z", "m", "c"])
      movies[1].title = "y"
      #expect(try objects.fetch(Movie.self, sort: [.descending(\.title)]).map(\.title) == ["y", "m", "c"])
    }
    #expect(try await titles(container) == ["c", "m", "y"])
  }

  @Test func `an object that is inserted and deleted in the same closure is never stored`() async throws {
    let container = try await container()
    let context = container.newContext()
    try await context.persist { objects in
      let early = objects.insert(Movie.self)
      let late = objects.insert(Movie.self)
      objects.delete(early)
      let count = try objects.count(Movie.self)
      #expect(count == 1)
      objects.delete(late)
      #expect(early.isDeleted && late.isDeleted)
    }
    #expect(try await titles(container) == [])
  }

  @Test func `a duplicate fails its closure with class and attribute, and nothing is stored`() async throws {
    let container = try await container()
    let context = container.newContext()
    try await fill(context, "a", "b")
    await #expect {
      try await context.persist { objects in
        for index in 0..<90 { objects.insert(Movie.self).remoteID = index == 40 ? 1 : Int64(1000 + index) }
      }
    } throws: { error in
      guard case .notUnique(let violation) = error as? PersistenceError else { return false }
      return violation.type == "Movie" && violation.attributes == ["remoteID"] && "\(error)".contains("remoteID")
    }
    // Also between objects that are both new
    await #expect(throws: PersistenceError.self) {
      try await context.persist { objects in
        objects.insert(Movie.self).remoteID = 7
        objects.insert(Movie.self).remoteID = 7
      }
    }
    #expect(try await titles(container) == ["a", "b"])
  }

  @Test func `a closure cannot ignore a failed fetch`() async throws {
    let container = try await container()
    let context = container.newContext()
    try await fill(context, "a")
    await #expect(throws: PersistenceError.self) {
      try await context.persist { objects in
        objects.insert(Movie.self).title = "kept?"
        let movie = objects.insert(Movie.self)
        movie.popularity = .nan
        #expect(throws: PersistenceError.self) { try objects.fetch(Movie.self) }
        movie.popularity = 1
      }
    }
    #expect(try await titles(container) == ["a"])
  }

  @Test func `a unique value can pass from a deleted object to a new one, and two can be swapped`() async throws {
    let container = try await container()
    let context = container.newContext()
    try await fill(context, "a", "b", "c")
    try await context.persist { objects in
      let movies = try objects.fetch(Movie.self)
      objects.delete(movies[2])
      objects.insert(Movie.self).remoteID = 2
    }
    try await context.persist { objects in
      let movies = try objects.fetch(Movie.self)
      (movies[0].remoteID, movies[1].remoteID) = (movies[1].remoteID, movies[0].remoteID)
    }
    let ids = try await container.newContext().perform { try $0.fetch(Movie.self).map(\.remoteID) }
    #expect(ids == [1, 0, 2])
  }

  @Test func `an object lists its changes compared with the store`() async throws {
    let container = try await store.open(Film.self, Director.self)
    let context = container.newContext()
    let (film, director) = try await context.persist { objects in
      let film = objects.insert(Film.self)
      film.year = 1996
      #expect(film.changes.map(\.attribute) == ["title", "year", "director"] && film.isInserted)
      #expect(film.changes[1].old == .null && film.changes[1].new == .integer(1996))
      return (film.id, objects.insert(Director.self).id)
    }
    try await context.perform { (objects) throws in
      let object = try objects.object(film)
      #expect(object.changes.isEmpty && !object.isInserted)
      object.title = "a"
      object.year = 2000
      // An attribute that is written to the transaction is still a change
      #expect(try objects.count(Film.self, where: { $0.year == 2000 }) == 1)
      object.title = "Fargo"
      object.director = try objects.object(director)
      #expect(object.changes.map(\.attribute) == ["title", "year", "director"])
      #expect(object.changes.map(\.old) == [.text(""), .integer(1996), .null])
      #expect(object.changes.map(\.new) == [.text("Fargo"), .integer(2000), .integer(director.rawValue)])
      // An attribute with its former value is not a change
      object.year = 1996
      object.director = nil
      #expect(object.changes.map(\.attribute) == ["title"])
    }
    try await context.persist { objects in
      let object = try objects.object(film)
      #expect(object.changes.map(\.attribute) == ["title"])
      objects.delete(object)
      #expect(object.changes.isEmpty)
      objects.rollback()
      #expect(object.changes.isEmpty && object.title == "" && !objects.hasChanges)
    }
  }

  @Test func `a closure that rolls back pending changes and then throws leaves no changes`() async throws {
    let container = try await container()
    let context = container.newContext()
    try await context.perform { objects in for _ in 0..<5 { _ = objects.insert(Movie.self) } }
    await #expect(throws: PersistenceError.self) {
      try await context.persist { objects in
        objects.rollback()
        for _ in 0..<8 { _ = objects.insert(Movie.self) }
        throw CancellationError()
      }
    }
    try await context.persist { #expect(!$0.hasChanges) }
    #expect(try await container.newContext().perform { try $0.count(Movie.self) } == 0)
    // Without a rollback, earlier pending changes stay
    try await context.perform { _ = $0.insert(Movie.self) }
    await #expect(throws: PersistenceError.self) { try await context.persist { _ in throw CancellationError() } }
    try await context.persist { _ in }
    #expect(try await container.newContext().perform { try $0.count(Movie.self) } == 1)
  }

  @Test func `more objects than fit in one statement are all stored`() async throws {
    let container = try await container()
    let context = container.newContext()
    try await context.persist { objects in
      for index in 0..<1_000 {
        let movie = objects.insert(Movie.self)
        movie.title = String(repeating: "\(index) ", count: index)
      }
    }
    let lengths = try await container.newContext().perform { try $0.fetch(Movie.self).map(\.title.utf8.count) }
    #expect(lengths == (0..<1_000).map { "\($0) ".utf8.count * $0 })
  }
}

/// Keeps objects from one closure of their context to the next, which the compiler would not allow.
final class Holder: @unchecked Sendable {
  var movies: [Movie] = []
}
