import Foundation
import Persistence
import Testing

@Suite struct ContextTests {
  private func container() async throws -> PersistentContainer {
    try await PersistentContainer(at: .inMemory, schema: Schema(Movie.self, FamilyMember.self))
  }

  @Test func `a completion callback runs once, in its own isolation`() async throws {
    let context = try await container().newContext()
    let id = try await withCheckedThrowingContinuation { continuation in
      context.persist({ $0.insert(Movie.self).id }) { @MainActor result in
        MainActor.assertIsolated()
        continuation.resume(with: result)
      }
    }
    let title: String = try await withCheckedThrowingContinuation { continuation in
      context.perform({ try $0.object(id).title }) { continuation.resume(with: $0) }
    }
    #expect(title == "")
    let error: PersistenceError? = await withCheckedContinuation { continuation in
      context.persist({ _ in throw Stop() }) { (result: Result<Void, PersistenceError>) in
        if case .failure(let error) = result {
          continuation.resume(returning: error)
        } else {
          continuation.resume(returning: nil)
        }
      }
    }
    guard case .body(let cause) = error else { throw Stop() }
    #expect(cause is Stop && error?.outcome == .rolledBack)
  }

  @Test func `perform with a callback inside a closure runs after that closure has ended`() async throws {
    let context = try await container().newContext()
    let counts: [Int] = try await withCheckedThrowingContinuation { continuation in
      context.persist({ objects in
        context.perform({ try $0.count(Movie.self) }) { result in
          continuation.resume(with: result.map { [$0] })
        }
        _ = objects.insert(Movie.self)
        _ = objects.insert(Movie.self)
      }) { _ in }
    }
    #expect(counts == [2])
  }

  @Test func `a task that is cancelled before its closure begins never runs the closure`() async throws {
    let context = try await container().newContext()
    let (gate, open) = AsyncStream<Void>.makeStream()
    let task = Task { () -> PersistenceError? in
      for await _ in gate {}
      do throws(PersistenceError) {
        try await context.persist { _ = $0.insert(Movie.self) }
        return nil
      } catch {
        return error
      }
    }
    task.cancel()
    open.finish()
    guard case .cancelled = await task.value else { throw Stop() }
    #expect(try await context.perform { try $0.count(Movie.self) } == 0)
  }

  @Test func `a task that is cancelled while its closure runs completes and saves`() async throws {
    let context = try await container().newContext()
    let (begun, begin) = AsyncStream<Void>.makeStream()
    let release = DispatchSemaphore(value: 0)
    let task = Task {
      try await context.persist { objects in
        objects.insert(Movie.self).title = "saved"
        begin.finish()
        release.wait()
      }
      return Task.isCancelled
    }
    for await _ in begun {}
    task.cancel()
    release.signal()
    #expect(try await task.value)
    #expect(try await context.perform { try $0.fetch(Movie.self).map(\.title) } == ["saved"])
  }

  @Test func `changes made in perform stay pending until they are saved or rolled back`() async throws {
    let container = try await container()
    let context = container.newContext()
    try await context.perform { $0.insert(Movie.self).title = "pending" }
    #expect(await context.hasChanges)
    #expect(try await context.perform { try $0.count(Movie.self) } == 1)
    #expect(try await container.newContext().perform { try $0.count(Movie.self) } == 0)
    await context.rollback()
    #expect(await !context.hasChanges)
    #expect(try await context.perform { try $0.count(Movie.self) } == 0)
    try await context.perform { $0.insert(Movie.self).title = "pending" }
    await context.reset()
    try await context.persist { _ = $0.insert(Movie.self) }
    #expect(try await container.newContext().perform { try $0.fetch(Movie.self).map(\.title) } == [""])
  }

  @Test func `a closure can roll back its changes and continue`() async throws {
    let container = try await container()
    let context = container.newContext()
    try await context.perform { $0.insert(Movie.self).title = "pending" }
    try await context.persist { objects in
      objects.insert(Movie.self).title = "given up"
      _ = try objects.count(Movie.self)
      objects.rollback()
      objects.insert(Movie.self).title = "kept"
    }
    #expect(try await container.newContext().perform { try $0.fetch(Movie.self).map(\.title) } == ["kept"])
    await #expect(throws: PersistenceError.self) {
      try await context.persist { objects in
        objects.insert(Movie.self).title = "a"
        objects.rollback()
        throw Stop()
      }
    }
  }

  @Test func `a closure reads one snapshot while another context commits`() async throws {
    let store = try TemporaryStore()
    let container = try await store.open(Movie.self, FamilyMember.self)
    let writer = container.newContext()
    try await writer.persist { _ = $0.insert(Movie.self) }
    let semaphore = DispatchSemaphore(value: 0)
    let counts = try await container.newContext().perform { objects in
      let before = try objects.count(Movie.self)
      writer.persist({ _ = $0.insert(Movie.self) }) { _ in semaphore.signal() }
      semaphore.wait()
      return [before, try objects.count(Movie.self)]
    }
    #expect(counts == [1, 1])
    #expect(try await writer.perform { try $0.count(Movie.self) } == 2)
  }

  @Test func `objects are released when their closure ends`() async throws {
    let context = try await container().newContext()
    let weak = WeakMovie()
    try await context.persist { objects in
      let movie = objects.insert(Movie.self)
      let member = objects.insert(FamilyMember.self)
      movie.familyMembers.insert(member)
      #expect(Array(member.movies) == [movie])
      weak.movie = movie
    }
    #expect(weak.movie == nil)
    try await context.perform { objects in
      let movie = try objects.fetch(Movie.self)[0]
      #expect(movie.familyMembers.first?.movies.map { $0 }.first === movie)
      weak.movie = movie
    }
    #expect(weak.movie == nil)
  }

  @Test func `a context returns the same object for the same row`() async throws {
    let context = try await container().newContext()
    let id = try await context.persist { $0.insert(Movie.self).id }
    try await context.perform { objects in
      let movie = try objects.object(id)
      #expect(try objects.fetch(Movie.self)[0] === movie && objects.existingObject(id) === movie)
    }
  }

  @Test func `ids of deleted and rolled back objects are never reused`() async throws {
    let store = try TemporaryStore()
    var seen: Set<ObjectID<Movie>> = []
    for _ in 0..<5 {
      let container = try await store.open(Movie.self, FamilyMember.self)
      for _ in 0..<3 {
        let context = container.newContext()
        let kept = try await context.persist { objects in (0..<40).map { _ in objects.insert(Movie.self).id } }
        let lost = Ids()
        await #expect(throws: PersistenceError.self) {
          try await context.persist { objects in
            _ = try objects.count(Movie.self)
            lost.ids = (0..<200).map { _ in objects.insert(Movie.self).id }
            throw Stop()
          }
        }
        try await context.persist { objects in for id in kept { objects.delete(try objects.object(id)) } }
        for id in kept + lost.ids { #expect(seen.insert(id).inserted) }
      }
    }
  }
}

private final class WeakMovie: @unchecked Sendable {
  weak var movie: Movie?
}

private final class Ids: @unchecked Sendable {
  var ids: [ObjectID<Movie>] = []
}
