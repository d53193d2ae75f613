import Foundation
import LarderTestSupport
import Persistence
import PersistenceTesting
import Testing

/// Several containers on one file, which share nothing but the file, like containers in several processes.
@Suite(.timeLimit(.minutes(10))) struct ExternalCommitTests {
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

  @Test func `polling delivers another container's commits to a commit sequence`() async throws {
    let container = try await open()
    let other = try await open(nil)
    var commits = container.commits.makeAsyncIterator()
    let ids = try await insert(other, "a", "b")
    try await other.newContext().persist { try $0.object(ids[0]).title = "c" }
    await clock.advance(by: .seconds(1))
    #expect(await commits.next()?.inserted(Film.self) == ids)
    #expect(await commits.next()?.change(of: ids[0])?.values(of: \.title)?.new == "c")
    // The container's own commits are delivered once and immediately.
    let own = try await insert(container, "d")
    #expect(await commits.next()?.inserted(Film.self) == own)
    await clock.advance(by: .seconds(1))
    let more = try await insert(other, "e")
    await clock.advance(by: .seconds(1))
    #expect(await commits.next()?.inserted(Film.self) == more)
  }

  @Test func `another container's earlier commits are delivered before a container's own commit`() async throws {
    let container = try await open()
    let other = try await open(nil)
    var commits = container.commits.makeAsyncIterator()
    var told: [[ObjectID<Film>]] = []
    var expected: [[ObjectID<Film>]] = []
    for round in 0..<20 {
      // Nothing polls, because the clock does not advance.
      expected.append(try await insert(round % 3 == 0 ? container : other, "\(round)"))
    }
    expected.append(try await insert(container, "last"))
    while told.count < expected.count, let changes = await commits.next() { told.append(changes.inserted(Film.self)) }
    #expect(told == expected)
  }

  @Test func `unchanged objects take another container's values, edited ones merge them at save`() async throws {
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

  @Test func `live results follow another container's commits, which a fetch also finds`() async throws {
    let container = try await open()
    let other = try await open(nil)
    let results = try await container.results(FetchDescriptor(Film.self, sort: [.ascending(\.title)]))
    var updates = results.updates.makeAsyncIterator()
    _ = await updates.next()
    let ids = try await insert(other, "b", "a")
    // The clock does not advance.
    let context = container.newContext()
    #expect(try await context.perform { try $0.fetchIDs(FetchDescriptor(Film.self)) } == ids)
    #expect(await updates.next()?.snapshot.map { $0 } == [ids[1], ids[0]])
    try await other.newContext().persist { try $0.object(ids[1]).title = "c" }
    #expect(try await context.perform { try $0.count(Film.self) } == 2)
    let update = try #require(await updates.next())
    #expect(update.snapshot.map { $0 } == ids && update.difference.moves.count == 1)
  }

  @Test func `new live results include undelivered commits, and do not report them again`() async throws {
    let container = try await open()
    let other = try await open(nil)
    let ids = try await insert(other, "a")
    let results = try await container.results(FetchDescriptor(Film.self, sort: [.ascending(\.title)]))
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

  @Test func `live results stay correct when another container turns the history off and on`() async throws {
    let container = try await open()
    let results = try await container.results(FetchDescriptor(Film.self, sort: [.ascending(\.title)]))
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

  @Test func `a container that missed more commits than are kept reports an unknown change`() async throws {
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
    #expect(changes.affects(Film.self) && !changes.isComplete(for: Film.self))
  }

  @Test func `a commit that displaces another container's from the history reports that it existed`() async throws {
    let container = try await store.open(Film.self, Director.self) { [clock] configuration in
      configuration.history = .kept(bytes: 1)
      configuration.pollInterval = .seconds(1)
      configuration.pollClock = clock
    }
    let other = try await open(nil)
    var commits = container.commits.makeAsyncIterator()
    try await other.newContext().persist { _ = $0.insert(Director.self) }
    try await container.newContext().persist { _ = $0.insert(Film.self) }
    #expect(try #require(await commits.next()).affects(Director.self))
  }

  @Test func `another container's commits before an indeterminate commit are delivered once`() async throws {
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
    // The sync of the commit fails, so the end of the write-ahead log is unknown.
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
    #expect(unknown.affects(Director.self) && !unknown.isComplete(for: Director.self))
    // Polling finds out whether it took effect; the other container's commits are not delivered again.
    await clock.advance(by: .seconds(1))
    let last = try await insert(other, "d")
    await clock.advance(by: .seconds(1))
    var next = try #require(await commits.next())
    if next.affects(Director.self) {
      #expect(!next.affects(Film.self))
      next = try #require(await commits.next())
    }
    #expect(next.inserted(Film.self) == last)
  }

  @Test func `a closed or released container stops polling`() async throws {
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
