import Foundation
import Persistence
import PersistenceTesting
import TestSupport
import Testing

/// Containers on one file, as in several processes, which know nothing of each other but the file.
@Suite(.timeLimit(.minutes(10))) struct ForeignCommitTests {
  let store: TemporaryStore
  let clock = ManualClock()

  init() throws { store = try TemporaryStore() }

  private func open(_ interval: Duration? = .seconds(1)) async throws -> PersistentContainer {
    try await store.open(Film.self, Director.self) { [clock] configuration in
      configuration.pollInterval = interval
      configuration.pollClock = clock
    }
  }

  private func insert(_ container: PersistentContainer, _ titles: String...) async throws -> [ObjectID<Film>] {
    try await container.newContext().persist { objects in
      titles.map { title in
        let film = objects.insert(Film.self)
        film.title = title
        return film.id
      }
    }
  }

  @Test func `commits of others reach who follows the container's commits, when it is looked for them`() async throws {
    let container = try await open()
    let other = try await open(nil)
    var commits = container.commits.makeAsyncIterator()
    let ids = try await insert(other, "a", "b")
    try await other.newContext().persist { try $0.object(ids[0]).title = "c" }
    await clock.advance(by: .seconds(1))
    #expect(await commits.next()?.inserted(Film.self) == ids)
    #expect(await commits.next()?.change(of: ids[0])?.values(of: \.title)?.new == "c")
    // Those of the container itself are told once, and at once.
    let own = try await insert(container, "d")
    #expect(await commits.next()?.inserted(Film.self) == own)
    await clock.advance(by: .seconds(1))
    let more = try await insert(other, "e")
    await clock.advance(by: .seconds(1))
    #expect(await commits.next()?.inserted(Film.self) == more)
  }

  @Test func `what others have committed before is told before a commit of one's own`() async throws {
    let container = try await open()
    let other = try await open(nil)
    var commits = container.commits.makeAsyncIterator()
    var told: [[ObjectID<Film>]] = []
    var expected: [[ObjectID<Film>]] = []
    for round in 0..<20 {
      // Nobody looks: the time stands still.
      expected.append(try await insert(round % 3 == 0 ? container : other, "\(round)"))
    }
    expected.append(try await insert(container, "last"))
    while told.count < expected.count, let changes = await commits.next() { told.append(changes.inserted(Film.self)) }
    #expect(told == expected)
  }

  @Test func `clean objects take foreign values, and changed ones meet them when they are saved`() async throws {
    let container = try await open()
    let other = try await open(nil)
    let context = container.newContext()
    let held = Films()
    let ids = try await insert(container, "a", "b", "c")
    try await context.perform { objects in
      held.films = try objects.fetch(Film.self)
      held.films[1].title = "mine"
    }
    var commits = container.commits.makeAsyncIterator()
    try await other.newContext().persist { objects in
      for id in ids {
        try objects.object(id).year = 7
      }
      objects.delete(try objects.object(ids[2]))
    }
    await clock.advance(by: .seconds(1))
    _ = await commits.next()
    try await context.perform { _ in
      #expect(held.films[0].year == 7 && held.films[1].year == 0 && held.films[2].isDeleted)
    }
    try await context.persist { _ in }
    try await context.perform { objects in
      #expect(held.films[1].year == 7 && held.films[1].title == "mine")
      held.films = []
    }
    #expect(try await other.newContext().perform { try $0.object(ids[1]).title } == "mine")
  }

  @Test func `live results follow, and a fetch is enough to look`() async throws {
    let container = try await open()
    let other = try await open(nil)
    let results = try await container.results(FetchRequest(Film.self, sort: [.ascending(\.title)]))
    var updates = results.updates.makeAsyncIterator()
    _ = await updates.next()
    let ids = try await insert(other, "b", "a")
    // No time goes by.
    let context = container.newContext()
    #expect(try await context.perform { try $0.fetchIDs(FetchRequest(Film.self)) } == ids)
    #expect(await updates.next()?.snapshot.map { $0 } == [ids[1], ids[0]])
    try await other.newContext().persist { try $0.object(ids[1]).title = "c" }
    #expect(try await context.perform { try $0.count(Film.self) } == 2)
    let update = try #require(await updates.next())
    #expect(update.snapshot.map { $0 } == ids && update.difference.moves.count == 1)
  }

  @Test func `new results see what nobody was told of, and are not told of it again`() async throws {
    let container = try await open()
    let other = try await open(nil)
    let ids = try await insert(other, "a")
    let results = try await container.results(FetchRequest(Film.self, sort: [.ascending(\.title)]))
    #expect(results.snapshot.map { $0 } == ids)
    var updates = results.updates.makeAsyncIterator()
    _ = await updates.next()
    await clock.advance(by: .seconds(1))
    let more = try await insert(other, "b")
    await clock.advance(by: .seconds(1))
    let update = try #require(await updates.next())
    #expect(update.snapshot.map { $0 } == ids + more && update.difference.insertions.count == 1)
    #expect(update.difference.updates.isEmpty)
  }

  @Test func `when the history ends, anything may have changed`() async throws {
    let container = try await open()
    let results = try await container.results(FetchRequest(Film.self, sort: [.ascending(\.title)]))
    var updates = results.updates.makeAsyncIterator()
    _ = await updates.next()
    let other = try await store.open(Film.self, Director.self) { $0.history = .off }
    let ids = try await insert(other, "a")
    await clock.advance(by: .seconds(1))
    #expect(await updates.next()?.snapshot.map { $0 } == ids)
    let again = try await store.open(Film.self, Director.self) { $0.history = .kept() }
    let more = try await insert(again, "b")
    await clock.advance(by: .seconds(1))
    #expect(await updates.next()?.snapshot.map { $0 } == ids + more)
  }

  @Test func `who has missed more than is kept learns that anything may have changed`() async throws {
    let container = try await store.open(Film.self, Director.self) { [clock] configuration in
      configuration.history = .kept(bytes: 500)
      configuration.pollInterval = .seconds(1)
      configuration.pollClock = clock
    }
    let other = try await open(nil)
    var commits = container.commits.makeAsyncIterator()
    let context = other.newContext()
    for _ in 0..<50 { try await context.persist { _ = $0.insert(Film.self) } }
    await clock.advance(by: .seconds(1))
    let changes = try #require(await commits.next())
    #expect(changes.concerns(Film.self) && !changes.isComplete(for: Film.self))
  }

  @Test func `an own commit that leaves no room for those before it tells that there were some`() async throws {
    let container = try await store.open(Film.self, Director.self) { [clock] configuration in
      configuration.history = .kept(bytes: 1)
      configuration.pollInterval = .seconds(1)
      configuration.pollClock = clock
    }
    let other = try await open(nil)
    var commits = container.commits.makeAsyncIterator()
    try await other.newContext().persist { _ = $0.insert(Director.self) }
    try await container.newContext().persist { _ = $0.insert(Film.self) }
    #expect(try #require(await commits.next()).concerns(Director.self))
  }

  @Test func `what others have committed before a commit that may have failed is told once`() async throws {
    let faults = StorageFaults()
    let container = try await store.open(Film.self, Director.self) { [clock] configuration in
      faults.apply(to: &configuration)
      configuration.durability = .powerLoss
      configuration.pollInterval = .seconds(1)
      configuration.pollClock = clock
    }
    let other = try await open(nil)
    let context = container.newContext()
    _ = try await context.persist { $0.insert(Film.self).id }
    var commits = container.commits.makeAsyncIterator()
    let ids = try await insert(other, "a", "b")
    let more = try await insert(other, "c")
    // The sync of the commit fails, and of the write-ahead log's end nobody knows.
    var operation = 0
    var isIndeterminate = false
    while !isIndeterminate {
      operation += 1
      try #require(operation < 20)
      faults.fail(.inputOutput, at: operation)
      do {
        try await context.persist { _ = $0.insert(Director.self) }
      } catch {
        if case .indeterminate = error { isIndeterminate = true }
      }
      faults.stop()
    }
    #expect(await commits.next()?.inserted(Film.self) == ids)
    #expect(await commits.next()?.inserted(Film.self) == more)
    let unknown = try #require(await commits.next())
    #expect(unknown.concerns(Director.self) && !unknown.isComplete(for: Director.self))
    // Whether it has taken effect is found out; the others' are not told again.
    await clock.advance(by: .seconds(1))
    let last = try await insert(other, "d")
    await clock.advance(by: .seconds(1))
    var next = try #require(await commits.next())
    if next.concerns(Director.self) {
      #expect(!next.concerns(Film.self))
      next = try #require(await commits.next())
    }
    #expect(next.inserted(Film.self) == last)
  }

  @Test func `a container that is closed or gone does not look any more`() async throws {
    weak var gone: PersistentContainer?
    do {
      let container = try await open()
      gone = container
      await clock.advance(by: .seconds(1))
      await container.close()
    }
    #expect(gone == nil)
    #expect(await eventually { clock.sleepers == 0 })
    do { _ = try await open() }
    #expect(await eventually { clock.sleepers == 0 })
  }
}

/// `@unchecked Sendable`: used on one context's queue.
private final class Films: @unchecked Sendable {
  var films: [Film] = []
}
