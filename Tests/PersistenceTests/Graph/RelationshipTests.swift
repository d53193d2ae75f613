import Foundation
import Persistence
import Testing

final class Person: ManagedObject {
  @Attribute var name = ""
  @ToOne var passport: Passport?
  @ToOne var boss: Person?
  @ToMany(inverse: \Person.boss) var reports: RelatedObjects<Person>
}

final class Passport: ManagedObject {
  @Attribute var number = ""
  @ToOne(inverse: \Person.passport) var owner: Person?
}

@Suite struct RelationshipTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private func container() async throws -> PersistentContainer {
    try await store.open(Movie.self, FamilyMember.self, Film.self, Director.self, Person.self, Passport.self)
  }

  @Test func `both sides of a many-to-many relationship change together`() async throws {
    let container = try await container()
    try await container.newContext().persist { objects in
      let fargo = objects.insert(Movie.self)
      let (ann, bob) = (objects.insert(FamilyMember.self), objects.insert(FamilyMember.self))
      #expect(fargo.familyMembers.isEmpty && ann.movies.count == 0)
      ann.movies.insert(fargo)
      #expect(fargo.familyMembers.contains(ann) && fargo.familyMembers.count == 1)
      fargo.familyMembers.insert(bob)
      #expect(Array(bob.movies) == [fargo])
      #expect(Array(fargo.familyMembers) == [ann, bob])
      #expect(fargo.familyMembers.first == ann)
      fargo.familyMembers.remove(ann)
      #expect(ann.movies.isEmpty && !fargo.familyMembers.contains(ann))
      fargo.familyMembers = [ann]
      #expect(bob.movies.isEmpty && ann.movies.first == fargo)
      ann.movies.insert(fargo)
      #expect(ann.movies.count == 1)
    }
    try await container.newContext().perform { objects in
      let movie = try #require(try objects.fetch(Movie.self).first)
      #expect(movie.familyMembers.count == 1 && movie.familyMembers.first?.movies.first === movie)
    }
  }

  @Test func `members that are not in memory can be added, removed and counted`() async throws {
    let container = try await container()
    let ids = try await container.newContext().persist { objects in
      let movie = objects.insert(Movie.self)
      return (movie.id, (0..<3).map { _ in objects.insert(FamilyMember.self).id })
    }
    for id in ids.1 {
      try await container.newContext().persist { objects in
        try objects.object(ids.0).familyMembers.insert(objects.object(id))
      }
    }
    let context = container.newContext()
    try await context.perform { objects in
      let members = try objects.object(ids.0).familyMembers
      #expect(members.count == 3 && !members.isEmpty && members.first?.id == ids.1[0])
      let last = try objects.object(ids.1[2])
      #expect(members.contains(last))
    }
    try await container.newContext().persist { objects in
      try objects.object(ids.0).familyMembers.remove(objects.object(ids.1[1]))
    }
    let left = try await context.perform { try $0.object(ids.0).familyMembers.map(\.id) }
    #expect(left == [ids.1[0], ids.1[2]])
  }

  @Test func `a failing closure leaves relationships unchanged`() async throws {
    let container = try await container()
    let context = container.newContext()
    let (movie, member, film, directors) = try await context.persist { objects in
      let movie = objects.insert(Movie.self)
      let member = objects.insert(FamilyMember.self)
      member.movies.insert(movie)
      let film = objects.insert(Film.self)
      let directors = [objects.insert(Director.self), objects.insert(Director.self)]
      film.director = directors[0]
      return (movie.id, member.id, film.id, directors.map(\.id))
    }
    await #expect(throws: PersistenceError.self) {
      try await context.persist { objects in
        try objects.object(movie).familyMembers.remove(objects.object(member))
        try objects.object(film).director = objects.object(directors[1])
        #expect(try objects.object(directors[1]).films.count == 1)
        throw Stop()
      }
    }
    try await context.perform { objects in
      let members = try Array(objects.object(movie).familyMembers)
      let before = try objects.object(directors[0])
      let after = try objects.object(directors[1])
      #expect(members.map(\.id) == [member])
      #expect(before.films.map(\.id) == [film] && after.films.isEmpty && before.films.first?.director === before)
    }
  }

  @Test func `a to-one and its inverse to-many change together`() async throws {
    let container = try await container()
    try await container.newContext().persist { objects in
      let (joel, ethan) = (objects.insert(Director.self), objects.insert(Director.self))
      let films = (0..<3).map { _ in objects.insert(Film.self) }
      for film in films { film.director = joel }
      #expect(Array(joel.films) == films)
      ethan.films.insert(films[1])
      #expect(Array(joel.films) == [films[0], films[2]] && Array(ethan.films) == [films[1]])
      #expect(films[1].director === ethan)
      films[0].director = nil
      #expect(Array(joel.films) == [films[2]])
      joel.films = [films[0], films[1]]
      #expect(films.map { $0.director === joel } == [true, true, false] && ethan.films.isEmpty)
    }
    let counts = try await container.newContext().perform { try $0.fetch(Director.self).map(\.films.count) }
    #expect(counts == [2, 0])
  }

  @Test func `assigning a one-to-one relationship clears both former partners`() async throws {
    let container = try await container()
    try await container.newContext().persist { objects in
      let (ann, bob) = (objects.insert(Person.self), objects.insert(Person.self))
      let (first, second) = (objects.insert(Passport.self), objects.insert(Passport.self))
      ann.passport = first
      bob.passport = second
      #expect(first.owner === ann && second.owner === bob)
      ann.passport = second
      #expect(second.owner === ann && first.owner == nil && bob.passport == nil)
      first.owner = ann
      #expect(ann.passport === first && second.owner == nil)
    }
    let owners = try await container.newContext().perform { try $0.fetch(Passport.self).map { $0.owner != nil } }
    #expect(owners == [true, false])
  }

  @Test func `a class can be related to itself`() async throws {
    let container = try await container()
    let boss = try await container.newContext().persist { objects in
      let boss = objects.insert(Person.self)
      for _ in 0..<3 { boss.reports.insert(objects.insert(Person.self)) }
      boss.boss = boss
      return boss.id
    }
    let count = try await container.newContext().perform { try $0.object(boss).reports.count }
    #expect(count == 4)
  }

  @Test func `deleting an object removes it from its relationships`() async throws {
    let container = try await container()
    let context = container.newContext()
    let (movie, member) = try await context.persist { objects in
      let movie = objects.insert(Movie.self)
      let member = objects.insert(FamilyMember.self)
      member.movies.insert(movie)
      return (movie.id, member.id)
    }
    try await context.persist { objects in
      let object = try objects.object(member)
      #expect(object.movies.count == 1)
      objects.delete(try objects.object(movie))
      #expect(object.movies.isEmpty)
    }
    try await context.persist { objects in
      let director = objects.insert(Director.self)
      let film = objects.insert(Film.self)
      film.director = director
      objects.delete(director)
      #expect(film.director == nil)
    }
    let left = try await container.newContext().perform {
      (try $0.count(Movie.self), try $0.fetch(Film.self).map { $0.director == nil })
    }
    #expect(left == (0, [true]))
  }

  @Test func `members of hundreds of owners are all found`() async throws {
    let container = try await container()
    try await container.newContext().persist { objects in
      for index in 0..<200 {
        let director = objects.insert(Director.self)
        for year in 0..<3 {
          let film = objects.insert(Film.self)
          film.year = index * 10 + year
          film.director = director
        }
      }
    }
    let (sums, names) = try await container.newContext().perform { objects in
      let directors = try objects.fetch(Director.self)
      let sums = directors.map { $0.films.reduce(0) { $0 + $1.year } }
      return (sums, try objects.fetch(Film.self).map { $0.director?.films.count ?? 0 })
    }
    #expect(sums == (0..<200).map { $0 * 30 + 3 })
    #expect(names == Array(repeating: 3, count: 600))
  }

  @Test func `members of more owners than stay in memory are all found`() async throws {
    let container = try await container()
    let count = 100_500
    try await container.newContext().persist { objects in
      for year in 0..<count {
        let film = objects.insert(Film.self)
        film.year = year
        objects.insert(Director.self).films.insert(film)
      }
    }
    let years = try await container.newContext().perform { objects in
      try objects.fetch(Director.self).flatMap { $0.films.map(\.year) }
    }
    #expect(years == Array(0..<count))
  }

  @Test func `a long chain of related objects can be loaded and released`() async throws {
    let container = try await container()
    let count = 50_000
    let first = try await container.newContext().persist { objects in
      let first = objects.insert(Person.self)
      var last = first
      for _ in 1..<count {
        let person = objects.insert(Person.self)
        person.boss = last
        last = person
      }
      return first.id
    }
    let context = container.newContext()
    let reports = try await context.perform { objects in
      try objects.fetch(FetchDescriptor(Person.self).prefetching(\.reports)).map(\.reports.count)
    }
    #expect(reports == Array(repeating: 1, count: count - 1) + [0])
    #expect(try await context.perform { try $0.object(first).reports.count } == 1)
  }

  @Test func `relating an object without a context or of another context fails`() async throws {
    let container = try await container()
    let (one, other) = (container.newContext(), container.newContext())
    await #expect {
      try await one.persist { $0.insert(Film.self).director = Director() }
    } throws: { error in
      guard case .foreignObject("Director") = error as? PersistenceError else { return false }
      return true
    }
    let holder = Holder()
    try await other.perform { holder.movies = [$0.insert(Movie.self)] }
    await #expect(throws: PersistenceError.self) {
      try await one.persist { $0.insert(FamilyMember.self).movies.insert(holder.movies[0]) }
    }
    try await other.perform { _ in holder.movies = [] }
  }

  @MainActor @Test func `contains is false for an object of another context with the same id`() async throws {
    let (view, other) = (
      try await container().viewContext,
      try await PersistentContainer(
        at: .inMemory, schema: Schema(Movie.self, FamilyMember.self)
      ).viewContext
    )
    func fill(_ objects: ObjectSpace) -> (Movie, FamilyMember) {
      let (movie, member) = (objects.insert(Movie.self), objects.insert(FamilyMember.self))
      movie.familyMembers.insert(member)
      return (movie, member)
    }
    let (movie, member) = try view.persist(fill)
    let (_, stranger) = try other.persist(fill)
    #expect(stranger.id.rawValue == member.id.rawValue)
    #expect(movie.familyMembers.contains(member))
    #expect(!movie.familyMembers.contains(stranger) && !movie.familyMembers.contains(FamilyMember()))
    #expect(Array(movie.familyMembers) == [member] && !movie.familyMembers.contains(stranger))
  }
}
