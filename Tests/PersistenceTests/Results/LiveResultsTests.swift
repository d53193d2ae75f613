import Foundation
import Testing

@testable import Persistence

@Suite struct LiveResultsTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private func films(
    _ titles: [String], in container: PersistentContainer
  ) async throws -> [ObjectID<Film>] {
    try await container.newContext().persist { objects in
      titles.map { title in
        let film = objects.insert(Film.self)
        film.title = title
        return film.id
      }
    }
  }

  @Test func `an update contains the snapshot and its difference from the previous one`() async throws {
    let container = try await store.open(Film.self, Director.self)
    let ids = try await films(["b", "d", "f"], in: container)
    let context = container.newContext()
    let results = try await container.results(FetchDescriptor(Film.self, sort: [.ascending(\.title)]))
    var updates = results.updates.makeAsyncIterator()
    let first = try #require(await updates.next())
    #expect(first.snapshot.map { $0 } == ids && first.difference.isEmpty)

    // A move
    try await context.persist { try $0.object(ids[0]).title = "e" }
    let moved = try #require(await updates.next())
    #expect(moved.snapshot.map { $0 } == [ids[1], ids[0], ids[2]])
    #expect(
      moved.difference.moves == [.init(id: ids[0], from: .init(item: 0), to: .init(item: 1))]
        && moved.difference.updates.isEmpty && moved.difference.deletions.isEmpty)
    // A new key that does not change the order
    try await context.persist { try $0.object(ids[0]).title = "ee" }
    let updated = try #require(await updates.next())
    #expect(updated.difference.updates == [.init(id: ids[0], from: .init(item: 1), to: .init(item: 1))])
    #expect(updated.difference.moves.isEmpty && updated.difference.isComplete)
    // An attribute other than the key
    try await context.persist { try $0.object(ids[2]).year = 1999 }
    let other = try #require(await updates.next())
    #expect(other.difference.updates == [.init(id: ids[2], from: .init(item: 2), to: .init(item: 2))])
    // A deletion and an insertion
    let new = try await context.persist { objects in
      objects.delete(try objects.object(ids[1]))
      let film = objects.insert(Film.self)
      film.title = "z"
      return film.id
    }
    let last = try #require(await updates.next())
    #expect(last.snapshot.map { $0 } == [ids[0], ids[2], new])
    #expect(last.difference.deletions == [.init(id: ids[1], indexPath: .init(item: 0))])
    #expect(last.difference.insertions == [.init(id: new, indexPath: .init(item: 2))])
    // Earlier snapshots are unchanged
    #expect(first.snapshot.map { $0 } == ids && moved.snapshot[1] == ids[0])
  }

  @Test func `films that are sorted by their director's name move when the director is renamed`() async throws {
    let container = try await store.open(Film.self, Director.self)
    let ids = try await films(["x", "y", "z"], in: container)
    let context = container.newContext()
    let director = try await context.persist { objects in
      let (ann, bob) = (objects.insert(Director.self), objects.insert(Director.self))
      (ann.name, bob.name) = ("Ann", "Bob")
      try objects.object(ids[0]).director = bob
      try objects.object(ids[1]).director = ann
      return ann.id
    }
    let request = FetchDescriptor(Film.self, sort: [.ascending(nulls: .last) { $0.director.name }])
    let results = try await container.results(request)
    var updates = results.updates.makeAsyncIterator()
    #expect(await updates.next()?.snapshot.map { $0 } == [ids[1], ids[0], ids[2]])
    try await context.persist { try $0.object(director).name = "Zoe" }
    #expect(await updates.next()?.snapshot.map { $0 } == [ids[0], ids[1], ids[2]])
    // A film of its own, and a deleted director
    try await context.persist { try $0.object(ids[2]).director = try $0.object(director) }
    try await context.persist { objects in objects.delete(try objects.object(ids[0])) }
    try await context.persist { objects in objects.delete(try objects.object(director)) }
    let fetched = try await context.perform { try $0.fetchIDs(request) }
    while let update = await updates.next() {
      if update.snapshot.map({ $0 }) == fetched { break }
    }
    #expect(results.snapshot.map { $0 } == [ids[1], ids[2]])
  }

  @Test(arguments: [false, true])
  func `live results agree with objects after a save that merged another container's commit`(
    isOut: Bool
  ) async throws {
    let container = try await store.open(Film.self, Director.self)
    let ids = try await films(["a", "b"], in: container)
    let context = container.newContext()
    try await context.persist { objects in try objects.object(ids[0]).year = isOut ? 2000 : 1900 }
    let results = try await container.results(FetchDescriptor(Film.self, where: { $0.year < 1950 }))
    var updates = results.updates.makeAsyncIterator()
    let first = try #require(await updates.next())
    #expect(first.snapshot.contains(ids[0]) == !isOut)
    // A pending change, while a container that nothing here follows moves the film in or out.
    try await context.perform { try $0.object(ids[0]).title = "mine" }
    let other = try await store.open(Film.self, Director.self)
    try await other.newContext().persist { try $0.object(ids[0]).year = isOut ? 1900 : 2000 }
    try await context.persist { _ in }
    // A film that is certainly in the results, so that there is an update to wait for.
    let new = try await context.persist { objects in
      let film = objects.insert(Film.self)
      film.year = 1901
      return film.id
    }
    var last = try #require(await updates.next())
    while !last.snapshot.contains(new) { last = try #require(await updates.next()) }
    #expect(last.snapshot.contains(ids[0]) == isOut)
    let found = try await container.newContext().perform { objects in
      try objects.fetch(Film.self, where: { $0.year < 1950 }).map(\.id)
    }
    #expect(last.snapshot.map { $0 } == found)
  }

  @Test func `sections of live results are inserted and deleted with their objects`() async throws {
    let container = try await store.open(Film.self, Director.self)
    let context = container.newContext()
    let ids = try await films(["a", "a", "c"], in: container)
    let results = try await container.results(
      FetchDescriptor(Film.self, sort: [.descending(\.year)]), sectionedBy: \.title)
    var updates = results.updates.makeAsyncIterator()
    let first = try #require(await updates.next()).snapshot
    #expect(first.sections.map { $0.key(as: String.self) } == ["a", "c"] && first.sections.map(\.count) == [2, 1])
    #expect(first[ResultsIndexPath(section: 1, item: 0)] == ids[2] && first.section(0)[1] == ids[1])
    #expect(first.indexPath(of: 2) == ResultsIndexPath(section: 1, item: 0))

    try await context.persist { try $0.object(ids[2]).title = "b" }
    let update = try #require(await updates.next())
    #expect(update.snapshot.sections.map { $0.key(as: String.self) } == ["a", "b"])
    #expect(update.difference.deletedSections == [1] && update.difference.insertedSections == [1])
    #expect(update.difference.moves.map(\.id) == [ids[2]])
    try await context.persist { objects in
      for id in ids { objects.delete(try objects.object(id)) }
    }
    let empty = try #require(await updates.next())
    #expect(empty.snapshot.sectionCount == 0 && empty.snapshot.isEmpty)
    #expect(empty.difference.deletedSections == [0, 1] && empty.difference.deletions.count == 3)
  }

  @Test func `sections of live results have the order of the request, also if descending`() async throws {
    let container = try await store.open(Film.self, Director.self)
    _ = try await films(["a", "b", "c"], in: container)
    let request = FetchDescriptor(Film.self, sort: [.descending(\.title)])
    let results = try await container.results(request, sectionedBy: \.title)
    #expect(results.snapshot.sections.map { $0.key(as: String.self) } == ["c", "b", "a"])
  }

  @Test func `live results send no update for a commit that does not concern them`() async throws {
    let container = try await store.open(Film.self, Director.self)
    let context = container.newContext()
    let ids = try await films(["a", "b"], in: container)
    let results = try await container.results(FetchDescriptor(Film.self, where: { $0.title == "a" }))
    var updates = results.updates.makeAsyncIterator()
    _ = await updates.next()
    try await context.persist { try $0.object(ids[1]).year = 7 }
    try await context.persist { $0.insert(Director.self).name = "a" }
    try await context.persist { try $0.object(ids[0]).year = 8 }
    let update = try #require(await updates.next())
    #expect(update.difference.updates.map(\.id) == [ids[0]])
  }

  @Test func `live results with a condition on related objects follow their changes`() async throws {
    let container = try await store.open(Film.self, Director.self)
    let context = container.newContext()
    let ids = try await films(["a", "b"], in: container)
    let director = try await context.persist { objects in
      let director = objects.insert(Director.self)
      director.films.insert(try objects.object(ids[0]))
      return director.id
    }
    let results = try await container.results(
      FetchDescriptor(Film.self, where: { $0.director.contains { $0.name == "Coen" } }))
    var updates = results.updates.makeAsyncIterator()
    #expect(await updates.next()?.snapshot.isEmpty == true)
    try await context.persist { try $0.object(director).name = "Coen" }
    #expect(await updates.next()?.snapshot.map { $0 } == [ids[0]])
    try await context.persist { try $0.object(ids[1]).director = try $0.object(director) }
    #expect(await updates.next()?.snapshot.map { $0 } == ids)
    try await context.persist { objects in objects.delete(try objects.object(director)) }
    #expect(await updates.next()?.snapshot.isEmpty == true)
  }

  @Test func `a reader of live results that is far behind receives combined updates`() async throws {
    let container = try await store.open(Film.self, Director.self)
    let context = container.newContext()
    let ids = try await films(["m", "n"], in: container)
    let follower = Follower(
      try await ResultsFollower(container, FetchDescriptor(Film.self, sort: [.ascending(\.title)]), sectionedBy: \.year)
    )
    var commits = container.commits.makeAsyncIterator()
    let reader = container.newContext()
    try await follower.check(reader, "at first")
    for number in 0..<100 {
      try await context.persist { objects in
        let film = objects.insert(Film.self)
        film.title = "\(number * 7 % 13)"
        try objects.object(ids[0]).year += 1
        try objects.object(ids[1]).title += "x"
      }
      _ = await commits.next()
    }
    try await follower.check(reader, "at last")
    #expect(await follower.taken < 30)
  }

  @Test func `live results reject a request that the store does not support`() async throws {
    let container = try await store.open(Film.self, Director.self)
    await #expect(throws: PersistenceError.self) {
      try await container.results(FetchDescriptor(Film.self, where: { $0[dynamicMember: \.title.capitalized] == "A" }))
    }
    await #expect(throws: PersistenceError.self) { try await container.results(FetchDescriptor(Movie.self)) }
  }

  @Test func `live results follow a store in memory`() async throws {
    let container = try await PersistentContainer(at: .inMemory, schema: Schema(Film.self, Director.self))
    let context = container.newContext()
    let results = try await container.results(FetchDescriptor(Film.self, sort: [.ascending(\.title)], limit: 2))
    var updates = results.updates.makeAsyncIterator()
    _ = await updates.next()
    for title in ["c", "b", "a"] {
      try await context.persist { $0.insert(Film.self).title = title }
      _ = await updates.next()
    }
    let titles = try await context.perform { objects in
      try results.snapshot.map { try objects.object($0).title }
    }
    #expect(titles == ["a", "b"])
  }

  @Test func `live results without references are deallocated`() async throws {
    let container = try await store.open(Film.self, Director.self)
    weak var weakResults: LiveResults<Film>?
    do {
      let results = try await container.results(FetchDescriptor(Film.self))
      weakResults = results
      #expect(results.snapshot.isEmpty)
    }
    #expect(weakResults == nil)
    _ = try await films(["a"], in: container)
  }
}
