import Dispatch
import Foundation
import LarderTestSupport
import Testing

@testable import Persistence

@Suite(.timeLimit(.minutes(10))) struct SuspensionTests {
  let store: TemporaryStore
  let clock = ManualClock()

  init() throws { store = try TemporaryStore() }

  private func open(_ interval: Duration? = nil) async throws -> PersistentContainer {
    try await store.open(Left.self, Right.self, Counter.self) { [clock] configuration in
      configuration.pollInterval = interval
      configuration.pollClock = clock
      configuration.busyTimeout = .seconds(60)
      configuration.checkpointStep = 20
    }
  }

  private func isSuspended<Result>(
    isolation: isolated (any _Concurrency.Actor)? = #isolation, _ body: () async throws -> Result
  ) async -> Bool {
    do {
      _ = try await body()
      return false
    } catch {
      if case .suspended = error as? PersistenceError { return true }
      return false
    }
  }

  private func expectNothingHeld(_ location: SourceLocation = #_sourceLocation) {
    #expect(HeldFiles.locks(in: store.folder) == [], sourceLocation: location)
    #expect(HeldFiles.open(in: store.folder) == [], sourceLocation: location)
  }

  private static let endless: SQLQuery = """
    WITH RECURSIVE numbers(number) AS (SELECT 1 UNION ALL SELECT number+1 FROM numbers WHERE number<1000000000000)
    SELECT count(*) AS count FROM numbers
    """

  private struct Count: Decodable { var count: Int }

  @MainActor @Test(.enabled(if: HeldFiles.areKnown))
  func `a suspended container holds no lock and no open file, and works again after it is resumed`() async throws {
    let container = try await open()
    let context = container.newContext()
    let id = try await context.persist { objects in
      let left = objects.insert(Left.self)
      left.text = "before"
      return left.id
    }
    let results = try await container.results(FetchDescriptor(Left.self))
    let view = container.viewContext
    let shown = try view.object(id)
    shown.text = "unsaved"
    let new = view.insert(Left.self)
    #expect(!HeldFiles.locks(in: store.folder).isEmpty)

    await container.suspend()
    expectNothingHeld()
    await container.suspend()
    expectNothingHeld()
    #expect(shown.text == "unsaved" && view.hasChanges && results.snapshot.count == 1)
    #expect(await isSuspended { try view.save() })
    #expect(shown.text == "unsaved" && view.hasChanges)
    expectNothingHeld()

    await container.resume()
    try view.save()
    #expect(try await context.perform { try $0.object(id).text } == "unsaved")
    #expect(try await context.perform { try $0.count(Left.self) } == 2)
    #expect(try view.object(new.id) === new)
    #expect(await eventually { results.snapshot.count == 2 })
    #expect(!HeldFiles.locks(in: store.folder).isEmpty)
    await container.close()
    expectNothingHeld()
  }

  @MainActor @Test func `every call to a suspended container throws the error suspended`() async throws {
    let container = try await open()
    let used = container.newContext()
    let unused = container.newContext()
    let id = try await used.persist { $0.insert(Left.self).id }
    let view = container.viewContext
    _ = try view.object(id)
    await container.suspend()
    for context in [used, unused, container.newContext()] {
      #expect(await isSuspended { try await context.persist { _ = $0.insert(Left.self) } })
      #expect(await isSuspended { try await context.perform { try $0.count(Left.self) } })
    }
    #expect(await isSuspended { try view.fetch(Left.self) })
    #expect(await isSuspended { try view.persist { _ in } })
    #expect(await isSuspended { try view.perform { _ in } })
    #expect(await isSuspended { try await container.results(FetchDescriptor(Left.self)) })
    #expect(await isSuspended { try await container.integrityCheck() })
    #expect(await isSuspended { try await container.compact() })
    #expect(await isSuspended { try await container.backup(to: store.folder.appending(path: "copy.db")) })
    #expect("\(PersistenceError.suspended)" == "the container is suspended: call resume() first")
    #expect(PersistenceError.suspended.outcome == .rolledBack)
    await container.resume()
    for context in [used, unused] { #expect(try await context.perform { try $0.count(Left.self) } == 1) }
    #expect(try view.fetch(Left.self).map(\.id) == [id])
    try await container.backup(to: store.folder.appending(path: "copy.db"))
    #expect(try await container.integrityCheck().isIntact)
  }

  @MainActor @Test func `a relationship that appeared empty during a suspension is read after it`() async throws {
    let container = try await store.open(Director.self, Film.self)
    let id = try await container.newContext().persist { objects in
      let director = objects.insert(Director.self)
      objects.insert(Film.self).director = director
      return director.id
    }
    let director = try container.viewContext.object(id)
    await container.suspend()
    #expect(director.films.isEmpty)
    await container.resume()
    #expect(director.films.count == 1)
    #expect(try container.viewContext.fetch(Film.self).count == 1)
  }

  @Test func `a closure that is running when the container is suspended may finish`() async throws {
    let container = try await open()
    let context = container.newContext()
    let (begun, goOn) = (AsyncStream.makeStream(of: Void.self), DispatchSemaphore(value: 0))
    async let stored: Int = context.persist { objects in
      _ = objects.insert(Left.self)
      _ = try objects.fetch(Left.self)
      begun.continuation.finish()
      goOn.wait()
      return try objects.count(Left.self)
    }
    for await _ in begun.stream {}
    async let queued = isSuspended { try await context.persist { _ = $0.insert(Right.self) } }
    async let suspension: Void = container.suspend()
    #expect(await eventually { container.store.access.suspension.isRefusing })
    goOn.signal()
    #expect(try await stored == 1)
    await suspension
    expectNothingHeld()
    // It was asked before the suspension or after it, and begins after it in either case.
    #expect(await queued)
    await container.resume()
    #expect(try await context.perform { [try $0.count(Left.self), try $0.count(Right.self)] } == [1, 0])
  }

  @Test func `a statement that runs beyond the limit is interrupted, and its transaction is rolled back`() async throws
  {
    let container = try await open()
    let context = container.newContext()
    let begun = AsyncStream.makeStream(of: Void.self)
    async let failed = isSuspended {
      try await context.persist { objects in
        _ = objects.insert(Left.self)
        _ = try objects.count(Left.self)
        begun.continuation.finish()
        _ = try objects.select(Self.endless, as: Count.self)
      }
    }
    for await _ in begun.stream {}
    async let suspension: Void = container.suspend(within: .seconds(2))
    await clock.advance(by: .seconds(2))
    #expect(await failed)
    await suspension
    expectNothingHeld()
    await container.resume()
    #expect(try await context.perform { try $0.count(Left.self) } == 0)
  }

  @Test func `a closure that ends after the limit is rolled back`() async throws {
    let container = try await open()
    let context = container.newContext()
    let (begun, goOn) = (AsyncStream.makeStream(of: Void.self), DispatchSemaphore(value: 0))
    async let failed = isSuspended {
      try await context.persist { objects in
        _ = objects.insert(Left.self)
        _ = try objects.count(Left.self)
        begun.continuation.finish()
        goOn.wait()
      }
    }
    for await _ in begun.stream {}
    async let suspension: Void = container.suspend(within: .seconds(2))
    await clock.advance(by: .seconds(2))
    #expect(await eventually { container.store.access.suspension.isInterrupting })
    goOn.signal()
    #expect(await failed)
    await suspension
    expectNothingHeld()
    await container.resume()
    #expect(try await context.perform { try $0.count(Left.self) } == 0)
  }

  @Test func `a writer that waits for another one stops waiting when its container is suspended`() async throws {
    let container = try await open()
    let other = try await open()
    let (held, goOn) = (AsyncStream.makeStream(of: Void.self), DispatchSemaphore(value: 0))
    async let first: Void = other.newContext().persist { objects in
      _ = objects.insert(Left.self)
      _ = try objects.count(Left.self)
      held.continuation.finish()
      goOn.wait()
    }
    for await _ in held.stream {}
    let begun = AsyncStream.makeStream(of: Void.self)
    async let failed = isSuspended {
      try await container.newContext().persist { objects in
        begun.continuation.finish()
        return try objects.count(Left.self)
      }
    }
    for await _ in begun.stream {}
    await container.suspend()
    #expect(await failed)
    // The other container is not suspended, so its lock is still held.
    goOn.signal()
    try await first
    await other.suspend()
    expectNothingHeld()
    await other.resume()
    #expect(try await other.newContext().perform { try $0.count(Left.self) } == 1)
  }

  @MainActor @Test(arguments: [nil, Duration.seconds(1)])
  func `what another process commits during a suspension arrives after it`(_ interval: Duration?) async throws {
    let container = try await open(interval)
    let context = container.newContext()
    let held = Kept()
    let id = try await context.persist { objects in
      let counter = objects.insert(Counter.self)
      held.counter = counter
      return counter.id
    }
    let shown = try container.viewContext.object(id)
    let results = try await container.results(FetchDescriptor(Left.self))
    var commits = container.commits.makeAsyncIterator()
    await container.suspend()
    expectNothingHeld()
    let worker = try ChildProcess.worker("count", store.file.path, "3")
    for await line in worker.lines { Issue.record("\(line)") }
    #expect(await worker.exit() == .code(0))
    #expect(shown.value == 0 && results.snapshot.isEmpty)

    await container.resume()
    #expect(await commits.next() != nil)
    #expect(await eventually { results.snapshot.count == 3 })
    #expect(await eventually { shown.value == 3 })
    #expect(try await context.perform { _ in held.counter?.value } == 3)
    #expect(results.failure == nil)
    // Its own commits go on
    try await context.persist { _ = $0.insert(Left.self) }
    #expect(await eventually { results.snapshot.count == 4 })
  }

  @Test func `a container can be closed while it is suspended, and suspended after it was closed`() async throws {
    let container = try await open()
    let context = container.newContext()
    try await context.persist { _ = $0.insert(Left.self) }
    await container.resume()
    #expect(try await context.perform { try $0.count(Left.self) } == 1)
    await container.suspend()
    await container.close()
    do {
      _ = try await context.perform { try $0.count(Left.self) }
      Issue.record("the container was open")
    } catch {
      guard case .closed = error else { throw error }
    }
    await container.resume()
    await container.suspend()
    expectNothingHeld()
    #expect(try await open().newContext().perform { try $0.count(Left.self) } == 1)
  }

  @Test func `an in-memory store keeps its objects across a suspension`() async throws {
    let container = try await PersistentContainer(at: .inMemory, schema: Schema(Left.self))
    let context = container.newContext()
    try await context.persist { _ = $0.insert(Left.self) }
    await container.suspend()
    #expect(await isSuspended { try await context.perform { try $0.count(Left.self) } })
    await container.resume()
    #expect(try await context.perform { try $0.count(Left.self) } == 1)
  }

  @Test func `a backup that is running is ended by the limit and leaves no file`() async throws {
    let container = try await open()
    try await container.newContext().persist { objects in
      // More pages than one step copies
      for number in 0..<1000 { objects.insert(Left.self).text = String(repeating: "\(number)", count: 4000) }
    }
    let copy = store.folder.appending(path: "copy.db")
    let (begun, goOn) = (AsyncStream.makeStream(of: Void.self), DispatchSemaphore(value: 0))
    async let failed = isSuspended {
      try await container.backup(to: copy) { done, total in
        begun.continuation.finish()
        if done < total { goOn.wait() }
      }
    }
    for await _ in begun.stream {}
    async let suspension: Void = container.suspend(within: .seconds(2))
    await clock.advance(by: .seconds(2))
    #expect(await eventually { container.store.access.suspension.isInterrupting })
    for _ in 0..<1000 { goOn.signal() }
    await suspension
    #expect(await failed)
    expectNothingHeld()
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.folder.path) == ["store.db"])
  }

  @MainActor @Test
  func `readers, writers, a view context and live results survive repeated suspensions`() async throws {
    let container = try await open()
    let view = container.viewContext
    let results = try await container.results(FetchDescriptor(Left.self))
    let mine = view.insert(Counter.self)
    let tally = Tally()
    await withTaskGroup(of: Void.self) { group in
      for writer in 0..<3 {
        group.addTask {
          let context = container.newContext()
          for number in 0..<200 where !Task.isCancelled {
            do {
              try await context.persist { objects in
                let left = objects.insert(Left.self)
                (left.number, left.text) = (writer, String(repeating: "\(number) ", count: 200))
                _ = try objects.fetch(Left.self, limit: 5)
              }
              tally.stored()
            } catch {
              if case .suspended = error as? PersistenceError { await Task.yield() } else { Issue.record("\(error)") }
            }
            tally.tried()
          }
        }
      }
      group.addTask {
        let context = container.newContext()
        while tally.tries < 600 {
          do {
            _ = try await context.perform { try $0.fetch(Left.self).count }
          } catch {
            if case .suspended = error as? PersistenceError { await Task.yield() } else { Issue.record("\(error)") }
          }
        }
      }
      for round in 1...8 {
        _ = await eventually { tally.tries >= round * 60 }
        await container.suspend(within: .seconds(60))
        expectNothingHeld()
        mine.value = round
        #expect(await isSuspended { try view.fetch(Left.self) })
        await container.resume()
        do { _ = try view.fetch(Left.self) } catch { Issue.record("\(error)") }
      }
    }
    try view.save()
    let count = try await container.newContext().perform { try $0.count(Left.self) }
    #expect(count == tally.commits && count > 0)
    #expect(try await container.newContext().perform { try $0.fetch(Counter.self).map(\.value) } == [8])
    #expect(await eventually { results.snapshot.count == count })
    #expect(try await container.integrityCheck().isIntact)
    await container.close()
    expectNothingHeld()
  }
}

/// An object that is kept between the closures of its context.
private final class Kept: @unchecked Sendable {
  var counter: Counter?
}

private final class Tally: Sendable {
  private let counts = Lock((tries: 0, commits: 0))

  var tries: Int { counts.withLock { $0.tries } }
  var commits: Int { counts.withLock { $0.commits } }
  func tried() { counts.withLock { $0.tries += 1 } }
  func stored() { counts.withLock { $0.commits += 1 } }
}
