import Foundation
import Persistence
import Testing

@MainActor @Suite struct ViewContextTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private func container() async throws -> PersistentContainer {
    try await store.open(Movie.self, FamilyMember.self, Film.self, Director.self)
  }

  @Test func `the main actor can hold, change and save objects of the view context`() async throws {
    let container = try await container()
    let view = container.viewContext
    let movie = view.insert(Movie.self)
    movie.title = "Fargo"
    let ann = view.insert(FamilyMember.self)
    ann.movies.insert(movie)
    #expect(view.hasChanges && movie.isInserted && movie.familyMembers.count == 1)
    // Only the context's own fetches include pending changes
    #expect(try view.fetch(Movie.self, where: { $0.title == "Fargo" }) == [movie])
    #expect(try view.count(FetchDescriptor(Movie.self)) == 1)
    #expect(try view.objects.exists(FetchDescriptor(Movie.self)))
    #expect(try await container.newContext().perform { try $0.count(Movie.self) } == 0)
    try view.save()
    #expect(!view.hasChanges && !movie.isInserted)
    let names = try await container.newContext().perform { try $0.fetch(Movie.self).map { $0.familyMembers.count } }
    #expect(names == [1])
    movie.title = "Fargo 2"
    #expect(movie.changes.map(\.attribute) == ["title"])
    #expect(movie.changes.map(\.old) == [.text("Fargo")] && movie.changes.map(\.new) == [.text("Fargo 2")])
    view.rollback()
    #expect(movie.title == "Fargo" && movie.changes.isEmpty && !view.hasChanges)
  }

  @Test func `a failing save of the view context keeps its changes`() async throws {
    let container = try await container()
    let view = container.viewContext
    try view.persist { $0.insert(Movie.self).remoteID = 1 }
    let second = view.insert(Movie.self)
    second.remoteID = 1
    #expect(throws: PersistenceError.self) { try view.save() }
    #expect(view.hasChanges && !second.isDeleted && second.remoteID == 1)
    second.remoteID = 2
    try view.save()
    #expect(try view.objects.count(Movie.self) == 2)
  }

  @Test func `a failing closure of the view context keeps earlier pending changes`() async throws {
    let container = try await container()
    let view = container.viewContext
    let movie = view.insert(Movie.self)
    movie.title = "before"
    #expect(throws: PersistenceError.self) {
      try view.persist { objects in
        movie.title = "within"
        _ = objects.insert(Movie.self)
        throw Stop()
      }
    }
    #expect(movie.title == "before" && view.hasChanges)
    #expect(try view.objects.fetch(Movie.self) == [movie])
  }

  @Test func `saving the view context within its own closure fails`() async throws {
    let container = try await container()
    let view = container.viewContext
    #expect {
      try view.persist { objects in
        objects.insert(Movie.self).title = "part"
        try view.perform { _ = try $0.count(Movie.self) }
        try view.save()
      }
    } throws: { error in
      guard case .nested = error as? PersistenceError else { return false }
      return true
    }
    #expect(try !view.hasChanges && view.objects.count(Movie.self) == 0)
  }

  @Test func `relationships in the view context follow other contexts' commits`() async throws {
    let container = try await container()
    let view = container.viewContext
    let director = try view.persist { objects in
      let director = objects.insert(Director.self)
      director.films.insert(objects.insert(Film.self))
      return director
    }
    #expect(director.films.map { $0 }.count == 1)
    let id = director.id
    try await container.newContext().persist { objects in
      try objects.object(id).films.insert(objects.insert(Film.self))
    }
    #expect(try view.objects.count(Film.self) == 2)
    #expect(director.films.map { $0 }.count == 2)
  }

  @Test func `objects of a reset view context count as deleted and have their stored values`() async throws {
    let container = try await container()
    let view = container.viewContext
    let movie = try view.persist { $0.insert(Movie.self) }
    movie.title = "not saved"
    view.reset()
    #expect(movie.isDeleted && movie.title == "")
    #expect(movie.familyMembers.isEmpty && !view.hasChanges)
    #expect(try view.object(movie.id) !== movie)
  }

  @Test func `objects of the view context may outlive their container`() async throws {
    var movie: Movie?
    do {
      let container = try await container()
      movie = try container.viewContext.persist { objects in
        let movie = objects.insert(Movie.self)
        movie.title = "Fargo"
        return movie
      }
    }
    #expect(movie?.title == "Fargo" && movie?.isDeleted == true)
    movie?.title = "dropped"
    #expect(movie?.title == "Fargo")
  }

  @Test func `a deleted object is not found in its context, and keeps its values`() async throws {
    let container = try await container()
    let view = container.viewContext
    let movie = try view.persist { objects in
      let movie = objects.insert(Movie.self)
      movie.title = "Fargo"
      return movie
    }
    view.delete(movie)
    #expect(movie.isDeleted && movie.title == "Fargo")
    #expect(throws: PersistenceError.self) { try view.object(movie.id) }
    view.rollback()
    #expect(try !movie.isDeleted && view.object(movie.id) === movie)
    view.delete(movie)
    try view.save()
    movie.title = "dropped"
    #expect(movie.title == "Fargo")
  }

  @Test func `using an object of another context fails the next save`() async throws {
    let container = try await container()
    let other = try await self.container()
    let film = container.viewContext.insert(Film.self)
    film.director = other.viewContext.insert(Director.self)
    #expect(film.director == nil)
    #expect(throws: PersistenceError.self) { try container.viewContext.save() }
    other.viewContext.delete(film)
    #expect(throws: PersistenceError.self) { try other.viewContext.save() }
  }

  @Test func `objects of a many-to-many relationship are deallocated with their context`() async throws {
    weak var movie: Movie?
    weak var member: FamilyMember?
    do {
      let container = try await container()
      try await container.newContext().persist { objects in
        let movie = objects.insert(Movie.self)
        movie.familyMembers.insert(objects.insert(FamilyMember.self))
      }
      let view = container.viewContext
      movie = try view.objects.fetch(Movie.self)[0]
      member = movie?.familyMembers.map { $0 }.first
      #expect(member?.movies.map { $0 }.first === movie)
    }
    #expect(movie == nil && member == nil)
  }
}
