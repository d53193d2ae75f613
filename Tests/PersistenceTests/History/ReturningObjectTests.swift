import Foundation
import Testing

@testable import Persistence

/// Rows that come back under their old ids, and rows that bring their ids along.
@Suite struct ReturningObjectTests {
  let store: TemporaryStore
  let other: TemporaryStore

  init() throws {
    store = try TemporaryStore()
    other = try TemporaryStore()
  }

  private func isConflict(_ error: any Error, _ kind: Conflict.Kind = .changed) -> Bool {
    guard case .conflict(let conflict) = error as? PersistenceError else { return false }
    return conflict.kind == kind && conflict.type == "Film"
  }

  /// A film of version 2, and a context, perhaps of another container, that holds it with a change that is pending.
  private func staleHolder(
    inSameContainer isSame: Bool, change: @escaping @Sendable (ObjectSpace, Film) -> Void
  ) async throws -> (own: ObjectContext, stale: ObjectContext, ObjectID<Film>) {
    let container = try await store.open(Film.self, Director.self)
    let own = container.newContext()
    await own.setUndoLimit(10)
    let id = try await own.persist { $0.insert(Film.self).id }
    try await own.persist { try $0.object(id).title = "A" }
    let stale = try await isSame ? container.newContext() : store.open(Film.self, Director.self).newContext()
    try await stale.perform { change($0, try $0.object(id)) }
    return (own, stale, id)
  }

  @Test(arguments: [true, false])
  func `an object that came back is not the one that somebody else still holds`(inSameContainer: Bool) async throws {
    let (own, stale, id) = try await staleHolder(inSameContainer: inSameContainer) { $1.title = "C" }
    // It is gone, comes back, and is changed as often as it was before.
    try await own.persist { $0.delete(try $0.object(id)) }
    try await own.undo()
    try await own.persist { try $0.object(id).title = "B" }
    await #expect { try await stale.persist { _ in } } throws: { isConflict($0) }
    #expect(try await own.perform { try $0.object(id).title } == "B")
  }

  @Test func `an object whose insertion was undone and done again is another one too`() async throws {
    let (own, stale, id) = try await staleHolder(inSameContainer: true) { $1.title = "C" }
    for _ in 0..<2 {
      try await own.undo()
      try await own.undo()
      try await own.redo()
      try await own.redo()
    }
    try await own.undo()
    try await own.undo()
    try await own.redo()
    try await own.persist { try $0.object(id).title = "B" }
    await #expect { try await stale.persist { _ in } } throws: { isConflict($0) }
    // Whoever knows the present state goes on from there.
    await stale.rollback()
    try await stale.persist { try $0.object(id).title += "C" }
    #expect(try await own.perform { try $0.object(id).title } == "BC")
  }

  @Test func `a deletion of what came back meanwhile is refused`() async throws {
    let (own, stale, id) = try await staleHolder(inSameContainer: false) { $0.delete($1) }
    try await own.persist { $0.delete(try $0.object(id)) }
    try await own.undo()
    try await own.persist { try $0.object(id).title = "B" }
    await #expect { try await stale.persist { _ in } } throws: { isConflict($0) }
    #expect(try await own.perform { try $0.object(id).title } == "B")
  }

  @Test func `an object that came back in a closure and was saved by a later one can be changed`() async throws {
    let container = try await store.open(Film.self, Director.self)
    let context = container.newContext()
    let ids = try await context.persist { objects in (0..<100).map { _ in objects.insert(Film.self).id } }
    var commits = container.commits.makeAsyncIterator()
    try await context.persist { objects in for id in ids { objects.delete(try objects.object(id)) } }
    let deletion = try #require(await commits.next())
    let held = HeldFilms()
    try await context.perform { objects in
      try objects.apply(deletion.inverted)
      // The fetch writes what is pending, which is taken back at the end of the closure.
      held.films = try objects.fetch(Film.self)
      #expect(held.films.map(\.id) == ids)
      held.films[0].title = "a"
      #expect(try objects.count(Film.self, where: \.title == "a") == 1)
    }
    try await context.persist { _ in held.films[1].title = "b" }
    try await context.persist { objects in
      for film in held.films { film.year = 1 }
      held.films = []
    }
    let titles = try await container.newContext().persist { objects in
      for id in ids { try objects.object(id).year += 1 }
      return try objects.fetch(Film.self).prefix(2).map(\.title)
    }
    #expect(titles == ["a", "b"])
  }

  // Ids that came from another store

  /// The change sets of commits in another store, each of which has inserted one film.
  private func insertions(_ count: Int) async throws -> [ChangeSet] {
    let container = try await other.open(Film.self, Director.self)
    let context = container.newContext()
    var commits = container.commits.makeAsyncIterator()
    var sets: [ChangeSet] = []
    for _ in 0..<count {
      try await context.persist { _ = $0.insert(Film.self) }
      sets.append(try #require(await commits.next()))
    }
    return sets
  }

  @Test func `ids that came with a change set are given to nobody again`() async throws {
    let sets = try await insertions(5)
    let container = try await store.open(Film.self, Director.self)
    try await container.newContext().persist { objects in for set in sets { try objects.apply(set) } }
    let id = try await container.newContext().persist { $0.insert(Film.self).id }
    #expect(id.rawValue > 5)
    // Not even when their rows are gone
    let second = try await store.open(Film.self, Director.self)
    try await second.newContext().persist { _ = try $0.delete(Film.self, where: .all) }
    let third = try await store.open(Film.self, Director.self)
    #expect(try await third.newContext().persist { $0.insert(Film.self).id }.rawValue > id.rawValue)
  }

  @Test func `an id that came along is taken out of those that the context has reserved`() async throws {
    let sets = try await insertions(8)
    let container = try await store.open(Film.self, Director.self)
    let context = container.newContext()
    let first = try await context.persist { $0.insert(Film.self).id.rawValue }
    #expect(first == 1)
    // It is pending, then saved.
    try await context.perform { objects in
      try objects.apply(sets[4])
      let ids = (0..<8).map { _ in objects.insert(Film.self).id.rawValue }
      #expect(!ids.contains(5) && Set(ids).count == 8)
    }
    try await context.persist { _ in }
    #expect(try await context.perform { try $0.count(Film.self) } == 10)
  }

  @Test func `an id that came along is taken out of those that a context has left over`() async throws {
    let sets = try await insertions(8)
    let container = try await store.open(Film.self, Director.self)
    let first = container.newContext()
    #expect(try await first.persist { $0.insert(Film.self).id.rawValue } == 1)
    await first.reset()
    let context = container.newContext()
    try await context.persist { try $0.apply(sets[6]) }
    try await context.persist { objects in for _ in 0..<20 { _ = objects.insert(Film.self) } }
    #expect(try await context.perform { try $0.count(Film.self) } == 22)
  }

  @Test func `an id that came along while another context had reserved it is not given back`() async throws {
    let sets = try await insertions(8)
    let container = try await store.open(Film.self, Director.self)
    let (one, two) = (container.newContext(), container.newContext())
    #expect(try await one.persist { $0.insert(Film.self).id.rawValue } == 1)
    try await two.persist { try $0.apply(sets[6]) }
    // Gives back what it has reserved, with the id that is another's now.
    await one.reset()
    let ids = try await two.persist { objects in (0..<20).map { _ in objects.insert(Film.self).id.rawValue } }
    #expect(!ids.contains(7) && Set(ids).count == 20)
    #expect(try await two.perform { try $0.count(Film.self) } == 22)
  }

  @Test func `ids that came along and that another context has reserved are a conflict there, once`() async throws {
    let sets = try await insertions(8)
    let container = try await store.open(Film.self, Director.self)
    let (one, two) = (container.newContext(), container.newContext())
    #expect(try await one.persist { $0.insert(Film.self).id.rawValue } == 1)
    try await two.persist { objects in for set in sets[1...] { try objects.apply(set) } }
    await #expect {
      try await one.persist { _ = $0.insert(Film.self) }
    } throws: { error in
      guard case .conflict(let conflict) = error as? PersistenceError else { return false }
      return conflict.kind == .changed && conflict.id == 2
    }
    // Those that are left of the block are as likely to be another's.
    #expect(try await one.persist { $0.insert(Film.self).id.rawValue } > 8)
    #expect(try await one.perform { try $0.count(Film.self) } == 9)
  }

  // Lives

  private func lives() throws -> Int64? {
    let connection = try Connection(StorePlace(.file(store.file)), StoreConfiguration())
    return try connection.statement("SELECT CAST(value AS INTEGER) FROM _larder_meta WHERE name='lives'").integer()
  }

  @Test func `what is written after something came back begins no other life`() async throws {
    let container = try await store.open(Film.self, Director.self)
    let context = container.newContext()
    let id = try await context.persist { $0.insert(Film.self).id }
    var commits = container.commits.makeAsyncIterator()
    try await context.persist { $0.delete(try $0.object(id)) }
    let deletion = try #require(await commits.next())
    try await context.persist { objects in
      try objects.apply(deletion.inverted)
      // Each fetch writes what is pending.
      for count in 1...3 {
        #expect(try objects.fetch(Film.self).count == count)
        _ = objects.insert(Film.self)
      }
    }
    #expect(try lives() == 1)
    #expect(try await context.perform { try $0.count(Film.self) } == 4)
  }
}

/// `@unchecked Sendable`: used on one context's queue.
private final class HeldFilms: @unchecked Sendable {
  var films: [Film] = []
}
