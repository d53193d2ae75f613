import Foundation
import LarderTestSupport
import Testing

@testable import Persistence

/// The sqlite3 command writes to a store as `Docs/StoreFile.md` asks, while a container polls.
@Suite(.enabled(if: SQLiteShell.isAvailable, "needs the sqlite3 command"), .timeLimit(.minutes(10)))
struct OtherProgramTests {
  let store: TemporaryStore
  let clock = ManualClock()

  init() throws { store = try TemporaryStore() }

  private func open(_ interval: Duration? = .seconds(1)) async throws -> PersistentContainer {
    try await store.open(Movie.self, FamilyMember.self) { [clock] configuration in
      configuration.pollInterval = interval
      configuration.pollClock = clock
    }
  }

  /// Two movies, the first with a family member, and a family member without a movie.
  private func fill(_ container: PersistentContainer) async throws -> [ObjectID<Movie>] {
    try await container.newContext().persist { objects in
      let movies = ["a", "b"].map { title in
        let movie = objects.insert(Movie.self)
        movie.title = title
        return movie
      }
      for name in ["Ann", "Bob"] { objects.insert(FamilyMember.self).name = name }
      movies[0].familyMembers.insert(try #require(try objects.first(FamilyMember.self, where: { $0.name == "Ann" })))
      return movies.map(\.id)
    }
  }

  private func shell(_ sql: String) async throws {
    try await SQLiteShell.run("PRAGMA foreign_keys=ON; BEGIN IMMEDIATE; \(sql); COMMIT", on: store.file)
  }

  private static let update = "UPDATE Movie SET title='x', _version=_version+1 WHERE _id=1"
  private static let insert = """
    UPDATE _larder_ids SET next=next+1 WHERE entity='Movie';
    INSERT INTO Movie(_id,title,_version) SELECT next-1,'c',1 FROM _larder_ids WHERE entity='Movie'
    """
  private static let delete = """
    DELETE FROM "FamilyMember.movies+Movie.familyMembers" WHERE Movie=1; DELETE FROM Movie WHERE _id=1
    """

  @Test(arguments: [(update, ["x", "b"]), (insert, ["a", "b", "c"]), (delete, ["b"])])
  func `a change reaches commits, live results, live values and held objects`(
    _ sql: String, _ expected: [String]
  ) async throws {
    let first = try await open()
    let ids = try await fill(first)
    await first.close()
    // Nothing has been written since it was opened.
    let container = try await open()
    let results = try await container.results(FetchDescriptor(Movie.self))
    var updates = results.updates.makeAsyncIterator()
    _ = await updates.next()
    var titles = container.liveValues { try $0.fetch(Movie.self).map(\.title) }.makeAsyncIterator()
    #expect(try await titles.next() == ["a", "b"])
    var commits = container.commits.makeAsyncIterator()
    let (context, held) = (container.newContext(), Held())
    try await context.perform { held.movies = try $0.fetch(Movie.self) }
    try await shell(sql)
    await clock.advance(by: .seconds(1))
    #expect(await commits.next()?.isComplete(for: Movie.self) == false)
    #expect(try await titles.next() == expected)
    if expected.count != 2 { #expect(await updates.next()?.snapshot.count == expected.count) }
    try await context.perform { _ in
      #expect(held.movies.filter { !$0.isDeleted }.map(\.title) == expected.filter { $0 != "c" })
      #expect(held.movies[0].isDeleted == (expected == ["b"]))
      held.movies = []
    }
    // It is reported once.
    let own = try await container.newContext().persist { $0.insert(Movie.self).id }
    #expect(await commits.next()?.inserted(Movie.self) == [own])
    await clock.advance(by: .seconds(1))
    let last = try await container.newContext().persist { $0.insert(Movie.self).id }
    #expect(await commits.next()?.inserted(Movie.self) == [last])
    #expect(ids.count == 2)
  }

  @Test(arguments: 0..<8) func `a change between other commits is not missed`(_ order: Int) async throws {
    let container = try await open()
    let other = try await open(nil)
    _ = try await fill(container)
    await clock.advance(by: .seconds(1))
    var commits = container.commits.makeAsyncIterator()
    var own: [ObjectID<Movie>] = []
    func commit(_ isWanted: Bool, in container: PersistentContainer) async throws {
      if isWanted { own.append(try await container.newContext().persist { $0.insert(Movie.self).id }) }
    }
    try await commit(order & 1 != 0, in: container)
    try await commit(order & 2 != 0, in: other)
    try await shell(Self.update)
    try await commit(order & 4 != 0, in: order & 2 == 0 ? other : container)
    await clock.advance(by: .seconds(1))
    var seen: [ObjectID<Movie>] = []
    var isTold = false
    while !isTold || seen.count < own.count {
      let changes = try #require(await commits.next())
      if changes.isComplete(for: Movie.self) { seen += changes.inserted(Movie.self) } else { isTold = true }
    }
    #expect(seen == own)
  }

  @Test func `without other programs, every commit is exactly known`() async throws {
    let container = try await open()
    let other = try await open(nil)
    var commits = container.commits.makeAsyncIterator()
    for round in 0..<60 {
      let count = round * round
      let source = round.isMultiple(of: 3) ? other : container
      if round.isMultiple(of: 4) {
        // The ids that it has reserved are lost.
        _ = try? await source.newContext().persist { objects in
          for _ in 0..<100 { _ = objects.insert(Movie.self) }
          throw Stop()
        }
      }
      let id = try await source.newContext().persist { objects in
        for _ in 0..<count { _ = objects.insert(FamilyMember.self) }
        return objects.insert(Movie.self).id
      }
      if round.isMultiple(of: 2) { await clock.advance(by: .seconds(1)) }
      if source === other, !round.isMultiple(of: 2) { await clock.advance(by: .seconds(1)) }
      let changes = try #require(await commits.next())
      #expect(changes.isComplete(for: Movie.self) && changes.inserted(Movie.self) == [id], "round \(round)")
    }
  }

  @Test func `a join table's change reaches relationships and results that depend on them`() async throws {
    let container = try await open()
    let ids = try await fill(container)
    let request = FetchDescriptor(Movie.self, where: { $0.familyMembers.contains { $0.name == "Bob" } })
    let results = try await container.results(request)
    var updates = results.updates.makeAsyncIterator()
    _ = await updates.next()
    let (context, held) = (container.newContext(), Held())
    var commits = container.commits.makeAsyncIterator()
    try await context.perform { objects in
      held.movies = try objects.fetch(Movie.self)
      #expect(held.movies.map(\.familyMembers.count) == [1, 0])
    }
    try await shell(#"INSERT INTO "FamilyMember.movies+Movie.familyMembers"(Movie,FamilyMember) VALUES(2,2)"#)
    await clock.advance(by: .seconds(1))
    #expect(await updates.next()?.snapshot.map { $0 } == [ids[1]])
    _ = await commits.next()
    try await context.perform { _ in
      #expect(held.movies.map { $0.familyMembers.map(\.name) } == [["Ann"], ["Bob"]])
      held.movies = []
    }
  }

  @Test func `a read-only container notices changes, too`() async throws {
    let writer = try await open()
    let ids = try await fill(writer)
    await writer.close()
    let container = try await store.open(Movie.self, FamilyMember.self) { [clock] configuration in
      configuration.isReadOnly = true
      configuration.pollInterval = .seconds(1)
      configuration.pollClock = clock
    }
    var titles = container.liveValues { try $0.object(ids[0]).title }.makeAsyncIterator()
    #expect(try await titles.next() == "a")
    try await shell(Self.update)
    await clock.advance(by: .seconds(1))
    #expect(try await titles.next() == "x")
  }

  @Test func `a changed text is found by live results that search, and is then reported no more`() async throws {
    let container = try await store.open(Article.self, Author.self) { [clock] configuration in
      configuration.pollInterval = .seconds(1)
      configuration.pollClock = clock
    }
    let context = container.newContext()
    let id = try await context.persist { Article.insert("one", nil, 1, in: $0).id }
    let results = try await container.results(FetchDescriptor(Article.self, where: { $0.matches(SearchText("two")) }))
    var updates = results.updates.makeAsyncIterator()
    _ = await updates.next()
    var commits = container.commits.makeAsyncIterator()
    try await shell("UPDATE Article SET title='two', _version=_version+1")
    await clock.advance(by: .seconds(1))
    #expect(await updates.next()?.snapshot.map { $0 } == [id])
    #expect(await commits.next()?.isComplete(for: Article.self) == false)
    let own = try await context.persist { Article.insert("two", nil, 2, in: $0).id }
    #expect(await updates.next()?.snapshot.map { $0 } == [id, own])
    #expect(await commits.next()?.inserted(Article.self) == [own])
    await clock.advance(by: .seconds(1))
    let last = try await context.persist { Article.insert("three", nil, 3, in: $0).id }
    #expect(await commits.next()?.inserted(Article.self) == [last])
  }

  @Test @MainActor func `a pending edit in the view context is kept, and merged when it is saved`() async throws {
    let container = try await open()
    let ids = try await fill(container)
    let view = container.viewContext
    let movies = try view.fetch(Movie.self)
    movies[0].popularity = 1
    var commits = container.commits.makeAsyncIterator()
    try await shell("UPDATE Movie SET title=title||'!', _version=_version+1")
    await clock.advance(by: .seconds(1))
    _ = await commits.next()
    await container.settle()
    #expect(movies[1].title == "b!")
    #expect(movies[0].title == "a" && movies[0].popularity == 1)
    try view.save()
    #expect(movies[0].title == "a!" && movies[0].popularity == 1)
    // A conflict, its correction, and another save.
    movies[0].title = "mine"
    try await shell("UPDATE Movie SET title='theirs', _version=_version+1 WHERE _id=1")
    await clock.advance(by: .seconds(1))
    _ = await commits.next()
    _ = await commits.next()
    #expect(throws: PersistenceError.self) { try view.save() }
    #expect(movies[0].title == "mine")
    view.rollback()
    #expect(try view.fetch(Movie.self).map(\.title) == ["theirs", "b!"])
    movies[0].title = "mine"
    try view.save()
    #expect(try await container.newContext().perform { try $0.object(ids[0]).title } == "mine")
  }
}

/// `@unchecked Sendable`: used on one context's queue.
private final class Held: @unchecked Sendable {
  var movies: [Movie] = []
}
