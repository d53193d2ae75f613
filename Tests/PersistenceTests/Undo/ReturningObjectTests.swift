import Foundation
import Testing

@testable import Persistence

/// Rows that are restored under their old ids, and rows whose ids come from an applied change set.
@Suite struct ReturningObjectTests {
  let store: TemporaryStore
  let other: TemporaryStore

  init() throws {
    store = try TemporaryStore()
    other = try TemporaryStore()
  }

  private func isConflict(_ error: any Error, _ kind: MergeConflict.Kind = .changed) -> Bool {
    guard case .conflict(let conflict) = error as? PersistenceError else { return false }
    return conflict.kind == kind && conflict.type == "Film"
  }

  /// A film of version 2, and a context of the same or another container that holds it with a pending change.
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
  func `saving a stale copy of a deleted and restored object is a conflict`(inSameContainer: Bool) async throws {
    let (own, stale, id) = try await staleHolder(inSameContainer: inSameContainer) { $1.title = "C" }
    // The object is deleted, restored, and changed as often as before.
    try await own.persist { $0.delete(try $0.object(id)) }
    try await own.undo()
    try await own.persist { try $0.object(id).title = "B" }
    await #expect { try await stale.persist { _ in } } throws: { isConflict($0) }
    #expect(try await own.perform { try $0.object(id).title } == "B")
  }

  @Test func `saving a stale copy of an object whose insertion was undone and redone is a conflict`() async throws {
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
    // A context that knows the present state can continue.
    await stale.rollback()
    try await stale.persist { try $0.object(id).title += "C" }
    #expect(try await own.perform { try $0.object(id).title } == "BC")
  }

  @Test func `deleting a stale copy of a restored object is a conflict`() async throws {
    let (own, stale, id) = try await staleHolder(inSameContainer: false) { $0.delete($1) }
    try await own.persist { $0.delete(try $0.object(id)) }
    try await own.undo()
    try await own.persist { try $0.object(id).title = "B" }
    await #expect { try await stale.persist { _ in } } throws: { isConflict($0) }
    #expect(try await own.perform { try $0.object(id).title } == "B")
  }

  @Test func `objects restored in one closure and saved by a later one can be changed`() async throws {
    let container = try await store.open(Film.self, Director.self)
    let context = container.newContext()
    let ids = try await context.persist { objects in (0..<100).map { _ in objects.insert(Film.self).id } }
    var commits = container.commits.makeAsyncIterator()
    try await context.persist { objects in for id in ids { objects.delete(try objects.object(id)) } }
    let deletion = try #require(await commits.next())
    let held = HeldFilms()
    try await context.perform { objects in
      try objects.apply(deletion.inverted)
      // The fetch writes pending changes, and the end of the closure reverts the write.
      held.films = try objects.fetch(Film.self)
      #expect(held.films.map(\.id) == ids)
      held.films[0].title = "a"
      #expect(try objects.count(Film.self, where: { $0.title == "a" }) == 1)
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

  // Ids from another store

  /// The change sets of commits in another store, each of which inserts one film.
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

  @Test func `ids from an applied change set are never assigned again`() async throws {
    let sets = try await insertions(5)
    let container = try await store.open(Film.self, Director.self)
    try await container.newContext().persist { objects in for set in sets { try objects.apply(set) } }
    let id = try await container.newContext().persist { $0.insert(Film.self).id }
    #expect(id.rawValue > 5)
    // Not even after their rows are deleted
    let second = try await store.open(Film.self, Director.self)
    try await second.newContext().persist { _ = try $0.delete(Film.self, matching: .all) }
    let third = try await store.open(Film.self, Director.self)
    #expect(try await third.newContext().persist { $0.insert(Film.self).id }.rawValue > id.rawValue)
  }

  @Test func `an applied change set removes its ids from those its context has reserved`() async throws {
    let sets = try await insertions(8)
    let container = try await store.open(Film.self, Director.self)
    let context = container.newContext()
    let first = try await context.persist { $0.insert(Film.self).id.rawValue }
    #expect(first == 1)
    // The change set is pending, then saved.
    try await context.perform { objects in
      try objects.apply(sets[4])
      let ids = (0..<8).map { _ in objects.insert(Film.self).id.rawValue }
      #expect(!ids.contains(5) && Set(ids).count == 8)
    }
    try await context.persist { _ in }
    #expect(try await context.perform { try $0.count(Film.self) } == 10)
  }

  @Test func `an applied change set removes its ids from those another context has returned`() async throws {
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

  @Test func `a context does not return reserved ids that another context's change set has used`() async throws {
    let sets = try await insertions(8)
    let container = try await store.open(Film.self, Director.self)
    let (one, two) = (container.newContext(), container.newContext())
    #expect(try await one.persist { $0.insert(Film.self).id.rawValue } == 1)
    try await two.persist { try $0.apply(sets[6]) }
    // Returns its reserved ids, including the one that is in use now.
    await one.reset()
    let ids = try await two.persist { objects in (0..<20).map { _ in objects.insert(Film.self).id.rawValue } }
    #expect(!ids.contains(7) && Set(ids).count == 20)
    #expect(try await two.perform { try $0.count(Film.self) } == 22)
  }

  @Test func `a context skips reserved ids that another context's commit has used`() async throws {
    let sets = try await insertions(8)
    let container = try await store.open(Film.self, Director.self)
    let (one, two) = (container.newContext(), container.newContext())
    #expect(try await one.persist { $0.insert(Film.self).id.rawValue } == 1)
    try await two.persist { objects in for set in sets[1...] { try objects.apply(set) } }
    #expect(try await one.persist { $0.insert(Film.self).id.rawValue } == 9)
    #expect(try await one.perform { try $0.count(Film.self) } == 9)
  }

  @Test(arguments: [true, false])
  func `an insertion under an id that a change set has used conflicts once`(inSameContainer isSame: Bool) async throws {
    let sets = try await insertions(8)
    let container = try await store.open(Film.self, Director.self)
    let one = container.newContext()
    let two = try await isSame ? container.newContext() : store.open(Film.self, Director.self).newContext()
    #expect(try await one.persist { $0.insert(Film.self).id.rawValue } == 1)
    if isSame { try await one.perform { _ = $0.insert(Film.self) } }
    try await two.persist { objects in for set in sets[1...] { try objects.apply(set) } }
    await #expect {
      try await one.persist { if !isSame { _ = $0.insert(Film.self) } }
    } throws: { error in
      guard case .conflict(let conflict) = error as? PersistenceError else { return false }
      return conflict.kind == .changed && conflict.id == 2
    }
    await one.rollback()
    // The rest of the block may be in use too.
    #expect(try await one.persist { $0.insert(Film.self).id.rawValue } > 8)
    #expect(try await one.perform { try $0.count(Film.self) } == 9)
  }

  @Test func `ids of an applied change set that is not saved remain available`() async throws {
    struct Stop: Error {}
    let last = try #require(try await insertions(500).last)
    let container = try await store.open(Film.self, Director.self)
    let context = container.newContext()
    #expect(try await context.persist { $0.insert(Film.self).id.rawValue } == 1)
    _ = try await context.preview { try $0.apply(last) }
    await #expect(throws: PersistenceError.self) {
      try await context.persist { objects in
        try objects.apply(last)
        throw Stop()
      }
    }
    try await context.perform { try $0.apply(last) }
    await context.rollback()
    let ids = try await context.persist { objects in (0..<100).map { _ in objects.insert(Film.self).id.rawValue } }
    #expect(ids == Array(2...101))
    // They are available to other contexts, too
    await context.reset()
    #expect(try await container.newContext().persist { $0.insert(Film.self).id.rawValue } == 102)
    // While the change set is pending, its id is not available.
    let other = try await store.open(Film.self, Director.self).newContext()
    try await other.perform { objects in
      try objects.apply(last)
      let ids = (0..<600).map { _ in objects.insert(Film.self).id.rawValue }
      #expect(!ids.contains(500) && Set(ids).count == 600)
    }
    try await other.persist { _ in }
    #expect(try await other.perform { try $0.count(Film.self) } == 703)
  }

  @Test func `ids are reserved before a transaction needs them, and leftover ids go to other contexts`() async throws {
    struct Stop: Error {}
    let container = try await store.open(Film.self, Director.self)
    let context = container.newContext()
    try await context.persist { objects in for _ in 0..<60 { _ = objects.insert(Film.self) } }
    await #expect(throws: PersistenceError.self) {
      try await context.persist { objects in
        #expect(try objects.count(Film.self) == 60)
        let ids = (0..<8).map { _ in objects.insert(Film.self).id.rawValue }
        #expect(ids == Array(65...72))
        #expect(objects.registries.allSatisfy { !$0.ids.isProvisional })
        throw Stop()
      }
    }
    #expect(try await container.newContext().persist { $0.insert(Film.self).id.rawValue } == 61)
  }

  // A change set and its inverse

  @Test(arguments: [1, 2, 3, 4, 5])
  func `one closure can apply a change set and its inverse several times`(times: Int) async throws {
    let container = try await store.open(Film.self, Director.self)
    let (context, follower) = (container.newContext(), container.newContext())
    await context.setUndoLimit(10)
    let ids = try await context.persist { objects in
      (0..<4).map { number in
        let film = objects.insert(Film.self)
        film.title = "\(number)"
        return film.id
      }
    }
    var commits = container.commits.makeAsyncIterator()
    try await context.persist { objects in
      try objects.object(ids[0]).title = "changed"
      objects.delete(try objects.object(ids[1]))
      objects.insert(Film.self).title = "new"
    }
    let change = try #require(await commits.next())
    let results = try await container.results(FetchDescriptor(Film.self, sort: [.ascending(\.title)]))
    // Created after the results, it receives each commit after them.
    commits = container.commits.makeAsyncIterator()
    @Sendable func titles(_ objects: ObjectSpace) throws -> [String] {
      try objects.fetch(FetchDescriptor(Film.self, sort: [.ascending(\.title)])).map(\.title)
    }
    let (before, after) = (["0", "1", "2", "3"], ["2", "3", "changed", "new"])
    let held = HeldFilms()
    try await follower.perform { held.films = try $0.fetch(Film.self) }
    for writes in [false, true] {
      try await context.persist { objects in
        for step in 0..<times {
          try objects.apply(step % 2 == 0 ? change.inverted : change)
          // A fetch writes pending changes.
          if writes { #expect(try titles(objects) == (step % 2 == 0 ? before : after)) }
        }
      }
      let expected = times % 2 == 0 ? after : before
      #expect(try await container.newContext().perform(titles) == expected)
      let told = try #require(await commits.next())
      let rows = told.changes(of: Film.self)
      #expect(Set(rows.map(\.id)).count == rows.count)
      #expect(told.inserted(Film.self).count == (times % 2 == 0 ? 0 : 1), "\(told)")
      #expect(told.deleted(Film.self).count == (times % 2 == 0 ? 0 : 1), "\(told)")
      #expect(
        results.snapshot.map { $0 }
          == (try await follower.perform { objects in
            try objects.fetch(FetchDescriptor(Film.self, sort: [.ascending(\.title)])).map(\.id)
          }))
      #expect(try await follower.perform(titles) == expected)
      // Undo, redo, undo
      try await context.undo()
      #expect(try await container.newContext().perform(titles) == after)
      try await context.redo()
      #expect(try await container.newContext().perform(titles) == expected)
      try await context.undo()
      #expect(try await container.newContext().perform(titles) == after)
      // A closure without an effect makes no commit.
      commits = container.commits.makeAsyncIterator()
      // Later changes of the same rows cause no conflict.
      try await follower.persist { objects in for film in try objects.fetch(Film.self) { film.year += 1 } }
      _ = await commits.next()
      try await context.persist { objects in for film in try objects.fetch(Film.self) { film.year -= 1 } }
      _ = await commits.next()
    }
    try await follower.perform { _ in held.films = [] }
  }

  @Test func `a closure that fails after a change set and its inverse leaves its objects unchanged`() async throws {
    struct Stop: Error {}
    let container = try await store.open(Film.self, Director.self)
    let context = container.newContext()
    let id = try await context.persist { $0.insert(Film.self).id }
    var commits = container.commits.makeAsyncIterator()
    try await context.persist { $0.delete(try $0.object(id)) }
    let deletion = try #require(await commits.next())
    try await context.undo(deletion)
    let held = HeldFilms()
    try await context.perform { held.films = [try $0.object(id)] }
    await #expect(throws: PersistenceError.self) {
      try await context.persist { objects in
        try objects.apply(deletion)
        try objects.apply(deletion.inverted)
        #expect(try objects.object(id) !== held.films[0])
        throw Stop()
      }
    }
    try await context.persist { objects in
      let film = try objects.object(id)
      #expect(film === held.films[0])
      held.films[0].title = "kept"
    }
    #expect(try await container.newContext().perform { try $0.object(id).title } == "kept")
    try await context.perform { _ in held.films = [] }
  }

  // Lives

  private func lives() throws -> Int64? {
    let connection = try Connection(StorePlace(.file(store.file)), StoreConfiguration())
    return try connection.statement("SELECT CAST(value AS INTEGER) FROM _larder_meta WHERE name='lives'").integer()
  }

  @Test func `later writes in a closure that restored an object do not increase the life counter`() async throws {
    let container = try await store.open(Film.self, Director.self)
    let context = container.newContext()
    let id = try await context.persist { $0.insert(Film.self).id }
    var commits = container.commits.makeAsyncIterator()
    try await context.persist { $0.delete(try $0.object(id)) }
    let deletion = try #require(await commits.next())
    try await context.persist { objects in
      try objects.apply(deletion.inverted)
      // Each fetch writes pending changes.
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

extension ObjectContext {
  fileprivate func undo(_ changes: ChangeSet) async throws(PersistenceError) {
    try await persist { try $0.apply(changes.inverted) }
  }
}
