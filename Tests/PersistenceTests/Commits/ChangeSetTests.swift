import Foundation
import Persistence
import Testing

private final class Priced: ManagedObject {
  @Attribute var price: Decimal = 0
  @Attribute var discount: Decimal?
}

@Suite struct ChangeSetTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  /// The next change set.
  private func next(_ commits: inout CommitSequence.Iterator) async throws -> ChangeSet {
    try #require(await commits.next())
  }

  @Test func `a change set lists inserted, updated and deleted objects with their values`() async throws {
    let container = try await store.open(Film.self, Director.self)
    let context = container.newContext()
    let kept = try await context.persist { objects in
      let (a, b) = (objects.insert(Film.self), objects.insert(Film.self))
      (a.title, a.year, b.title) = ("Fargo", 1996, "Brazil")
      return [a.id, b.id]
    }
    var commits = container.commits.makeAsyncIterator()
    let (director, new) = try await context.persist { objects in
      let director = objects.insert(Director.self)
      let new = objects.insert(Film.self)
      new.title = "Alien"
      let fargo = try objects.object(kept[0])
      fargo.title = "no"
      fargo.title = "Fargo!"
      fargo.director = director
      objects.delete(try objects.object(kept[1]))
      objects.delete(objects.insert(Film.self))
      return (director.id, new.id)
    }
    let changes = try await next(&commits)
    #expect(changes.inserted(Film.self) == [new] && changes.inserted(Director.self) == [director])
    #expect(changes.updated(Film.self) == [kept[0]] && changes.deleted(Film.self) == [kept[1]])
    #expect(changes.affects(Film.self) && changes.isComplete(for: Film.self) && !changes.isEmpty)
    #expect(changes.changes(of: Film.self).map(\.id) == [kept[0], kept[1], new].sorted())
    let fargo = try #require(changes.change(of: kept[0]))
    #expect(fargo.attributes.map(\.attribute) == ["title", "director"])
    #expect(fargo.attributes.map(\.old) == [.text("Fargo"), .null])
    #expect(fargo.attributes.map(\.new) == [.text("Fargo!"), .integer(director.rawValue)])
    let title = try #require(fargo.values(of: \.title))
    #expect(title.old == "Fargo" && title.new == "Fargo!" && fargo.values(of: \.year) == nil)
    let alien = try #require(changes.change(of: new)?.values(of: \.title))
    #expect(alien.old == nil && alien.new == "Alien")
    let brazil = try #require(changes.change(of: kept[1]))
    #expect(brazil.kind == .deleted && brazil.values(of: \.title)?.old == "Brazil")
    #expect(brazil.values(of: \.title)?.new == nil && brazil.attributes.count == 3)
    #expect("\(changes)" == "Film: +1 ~1 -1, Director: +1 ~0 -0")
  }

  @Test func `changes give a decimal as its digits, and in its own type`() async throws {
    let container = try await store.open(Priced.self) { $0.history = .kept() }
    let context = container.newContext()
    let id = try await context.persist { objects in
      let item = objects.insert(Priced.self)
      item.price = 100.5
      #expect(item.changes.map(\.new) == [.text("100.5"), .null])
      return item.id
    }
    let token = try await container.historyToken()
    try await context.persist { objects in
      let item = try objects.object(id)
      (item.price, item.discount) = (-0.25, 3)
      #expect(item.changes.map(\.old) == [.text("100.5"), .null])
    }
    guard case .changes(let sets, _) = try await context.perform({ try $0.changes(since: token) }) else { throw Stop() }
    let change = try #require(sets.last?.change(of: id))
    #expect(change.attributes.map(\.old) == [.text("100.5"), .null])
    #expect(change.attributes.map(\.new) == [.text("-0.25"), .text("3")])
    #expect(change.attributes.map { Decimal(stored: $0.new) } == [-0.25, 3])
    #expect(change.values(of: \.price)?.old == 100.5 && change.values(of: \.discount)?.new == 3)
  }

  @Test func `a change set has the stored values of an object that was edited and then deleted`() async throws {
    let container = try await store.open(Film.self, Director.self)
    let context = container.newContext()
    let id = try await context.persist { objects in
      let film = objects.insert(Film.self)
      film.title = "stored"
      return film.id
    }
    var commits = container.commits.makeAsyncIterator()
    try await context.persist { objects in
      let film = try objects.object(id)
      film.title = "pending"
      _ = try objects.count(Film.self)
      film.title = "later"
      objects.delete(film)
    }
    let changes = try await next(&commits)
    #expect(changes.change(of: id)?.values(of: \.title)?.old == "stored")
    #expect(changes.updated(Film.self).isEmpty)
  }

  @Test func `a change set omits restored values but includes equal strings of different bytes`() async throws {
    let container = try await store.open(Film.self, Director.self)
    let context = container.newContext()
    let id = try await context.persist { objects in
      let film = objects.insert(Film.self)
      film.title = "e\u{301}"
      return film.id
    }
    var commits = container.commits.makeAsyncIterator()
    try await context.persist { objects in
      let film = try objects.object(id)
      film.year = 1
      film.year = 0
      film.title = "\u{e9}"
    }
    let change = try #require(try await next(&commits).change(of: id))
    #expect(change.attributes.map(\.attribute) == ["title"])
  }

  @Test func `the commit sequence has the commits of all contexts in their commit order`() async throws {
    let container = try await store.open(Film.self, Director.self)
    let id = try await container.newContext().persist { $0.insert(Film.self).id }
    var commits = container.commits.makeAsyncIterator()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        let context = container.newContext()
        group.addTask {
          for _ in 0..<25 { try await context.persist { try $0.object(id).year += 1 } }
        }
      }
      try await group.waitForAll()
    }
    for year in 0..<100 {
      let values = try #require(try await next(&commits).change(of: id)?.values(of: \.year))
      #expect(values.old == year && values.new == year + 1)
    }
  }

  @Test func `a change set lists each object once, however often and in which order it changed`() async throws {
    let container = try await store.open(Film.self, Director.self)
    let context = container.newContext()
    let ids = try await context.persist { objects in (0..<20).map { _ in objects.insert(Film.self).id } }
    var commits = container.commits.makeAsyncIterator()
    try await context.persist { objects in
      for index in [5, 3, 9, 3, 5, 19, 0, 9] {
        try objects.object(ids[index]).year += 1
        try objects.object(ids[index]).title += "x"
        if index == 19 { _ = try objects.count(Film.self) }
      }
    }
    let changes = try await next(&commits)
    #expect(changes.updated(Film.self) == [0, 3, 5, 9, 19].map { ids[$0] })
    #expect(changes.changes(of: Film.self).map { $0.values(of: \.year)?.new } == [1, 2, 2, 2, 1])
    #expect(changes.changes(of: Film.self).allSatisfy { $0.values(of: \.title)?.old == "" })
  }

  @Test func `the commit sequence omits failed commits and reads`() async throws {
    let container = try await store.open(Movie.self, FamilyMember.self)
    let context = container.newContext()
    try await context.persist { $0.insert(Movie.self).remoteID = 1 }
    var commits = container.commits.makeAsyncIterator()
    await #expect(throws: PersistenceError.self) {
      try await context.persist { $0.insert(Movie.self).remoteID = 1 }
    }
    _ = try await context.perform { objects in
      objects.insert(Movie.self).title = "pending"
      return try objects.count(Movie.self)
    }
    await context.rollback()
    try await context.persist { $0.insert(Movie.self).remoteID = 2 }
    let changes = try await next(&commits)
    #expect(changes.changes(of: Movie.self).map { $0.values(of: \.remoteID)?.new } == [2])
  }

  @Test func `a reader far behind receives a change set that says anything may have changed`() async throws {
    let container = try await store.open(Film.self, Director.self)
    let context = container.newContext()
    let sequence = container.commits
    for _ in 0..<300 { try await context.persist { _ = $0.insert(Film.self) } }
    var commits = sequence.makeAsyncIterator()
    let changes = try await next(&commits)
    #expect(!changes.isComplete(for: Film.self) && changes.affects(Director.self))
  }

  @Test(.timeLimit(.minutes(1))) func `a commit sequence ends when its task is cancelled`() async throws {
    let container = try await store.open(Film.self, Director.self)
    let commits = container.commits
    let task = Task { for await _ in commits {} }
    task.cancel()
    await task.value
  }
}
