import Foundation
import Persistence
import Testing

@Suite struct ClosingTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private func isClosed<Result>(
    isolation: isolated (any _Concurrency.Actor)? = #isolation, _ body: () async throws -> Result
  ) async -> Bool {
    do {
      _ = try await body()
      return false
    } catch {
      if case .closed = error as? PersistenceError { return true }
      return false
    }
  }

  @Test func `closing a container waits for queued work and leaves a single file`() async throws {
    let container = try await store.open(Movie.self, FamilyMember.self)
    let contexts = (0..<3).map { _ in container.newContext() }
    let results = Results()
    await withTaskGroup(of: Void.self) { group in
      for context in contexts {
        for _ in 0..<10 {
          group.addTask {
            await withCheckedContinuation { continuation in
              context.persist({ $0.insert(Movie.self).title = "saved" }) { result in
                results.add(result)
                continuation.resume()
              }
            }
          }
        }
      }
      // When the container is closed in the midst of their work
      group.addTask { await container.close() }
      await group.waitForAll()
    }
    // Then each is stored or refused, as its result says
    let found = try FileManager.default.contentsOfDirectory(atPath: store.folder.path)
    #expect(found == ["store.db"])
    let again = try await store.open(Movie.self, FamilyMember.self)
    #expect(try await again.newContext().perform { try $0.count(Movie.self) } == results.stored)
    #expect(results.stored + results.closed == 30)
  }

  @Test func `work queued before closing is done, even by a context without a connection`() async throws {
    let container = try await store.open(Movie.self, FamilyMember.self)
    let context = container.newContext()
    let results = Results()
    for _ in 0..<20 { context.persist({ _ = $0.insert(Movie.self) }) { results.add($0) } }
    await container.close()
    let again = try await store.open(Movie.self, FamilyMember.self)
    #expect(try await again.newContext().perform { try $0.count(Movie.self) } == 20)
  }

  @Test func `every operation on a closed container throws the error closed`() async throws {
    let container = try await store.open(Movie.self, FamilyMember.self)
    let used = container.newContext()
    let unused = container.newContext()
    let id = try await used.persist { $0.insert(Movie.self).id }
    await container.close()
    await container.close()
    for context in [used, unused, container.newContext()] {
      #expect(await isClosed { try await context.persist { _ = $0.insert(Movie.self) } })
      #expect(await isClosed { try await context.perform { try $0.object(id).title } })
      #expect(await !context.hasChanges)
      await context.rollback()
      await context.reset()
      #expect(await isClosed { try await context.perform { try $0.count(Movie.self) } })
    }
    #expect("\(PersistenceError.closed)" == "the container was closed")
  }

  @MainActor @Test func `the view context's objects count as deleted after their container is closed`() async throws {
    let container = try await store.open(Movie.self, FamilyMember.self)
    let view = container.viewContext
    let movie = view.insert(Movie.self)
    movie.title = "saved"
    let ann = view.insert(FamilyMember.self)
    ann.movies.insert(movie)
    try view.save()
    movie.title = "pending"
    let objects = try view.objects
    await container.close()
    #expect(movie.isDeleted && movie.title == "saved" && movie.familyMembers.isEmpty)
    movie.title = "too late"
    #expect(await isClosed { try view.fetch(Movie.self) })
    #expect(await isClosed { try view.save() })
    #expect(await isClosed { try view.persist { _ in } })
    // An object space that was kept can no longer be used
    #expect(await isClosed { try objects.fetch(Movie.self) })
    #expect(await isClosed { try objects.fetch(Movie.self, where: { $0.title == "saved" }) })
    #expect(await isClosed { try objects.count(Movie.self) })
    #expect(await isClosed { try objects.object(movie.id) })
    _ = objects.insert(Movie.self)
    objects.rollback()
    // No one uses the file: it can be removed and created again
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.folder.path) == ["store.db"])
    try FileManager.default.removeItem(at: store.file)
    let again = try await store.open(Movie.self, FamilyMember.self)
    #expect(try again.viewContext.count(FetchDescriptor(Movie.self)) == 0)
    withExtendedLifetime((movie, ann)) {}
  }

  @Test func `commits and result updates deliver the last commit and end when a container closes`() async throws {
    let container = try await store.open(Movie.self, FamilyMember.self)
    let (commits, results) = (container.commits, try await container.results(FetchDescriptor(Movie.self)))
    let inserted = Task { await commits.reduce(0) { $0 + $1.inserted(Movie.self).count } }
    let counts = Task { await results.updates.reduce(into: [Int]()) { $0.append($1.snapshot.count) } }
    let context = container.newContext()
    for _ in 0..<3 { try await context.persist { _ = $0.insert(Movie.self) } }
    await container.close()
    #expect(await inserted.value == 3)
    #expect(await counts.value.last == 3)
    // A sequence that begins later ends immediately
    #expect(await container.commits.reduce(0) { count, _ in count + 1 } == 0)
    #expect(await results.updates.reduce(into: [Int]()) { $0.append($1.snapshot.count) } == [3])
  }

  @Test func `a context of a store in memory fails after its container is closed`() async throws {
    let container = try await PersistentContainer(at: .inMemory, schema: Schema(Movie.self, FamilyMember.self))
    let context = container.newContext()
    try await context.persist { _ = $0.insert(Movie.self) }
    await container.close()
    #expect(await isClosed { try await context.perform { try $0.count(Movie.self) } })
  }

  @Test(.enabled(if: SQLiteShell.isAvailable, "needs the sqlite3 command"))
  func `closing a container after many changes stores statistics for the query planner`() async throws {
    let container = try await store.open(Film.self, Director.self)
    let context = container.newContext()
    try await context.persist { objects in
      for year in 0..<2000 { objects.insert(Film.self).year = year % 50 }
    }
    #expect(try await context.perform { try $0.count(Film.self, where: { $0.year == 7 }) } == 40)
    await container.close()
    let statistics = try await SQLiteShell.run("SELECT count(*)>0 FROM sqlite_stat1 WHERE tbl='Film'", on: store.file)
    #expect(statistics == "1\n")
  }
}

private final class Results: @unchecked Sendable {
  private let lock = NSLock()
  private(set) var stored = 0
  private(set) var closed = 0

  func add(_ result: Result<Void, PersistenceError>) {
    lock.withLock {
      switch result {
      case .success: stored += 1
      case .failure(.closed): closed += 1
      case .failure: break
      }
    }
  }
}
