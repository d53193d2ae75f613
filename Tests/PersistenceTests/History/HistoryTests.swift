import Foundation
import Persistence
import Testing

@Suite struct HistoryTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private func open(_ policy: HistoryPolicy = .kept()) async throws -> PersistentContainer {
    try await store.open(Film.self, Director.self, Movie.self, FamilyMember.self) { $0.history = policy }
  }

  /// The change sets since a token, none of which may be missing.
  private func changes(
    _ container: PersistentContainer, since token: HistoryToken, limit: Int = .max
  ) async throws -> (sets: [ChangeSet], next: HistoryToken) {
    guard case .changes(let sets, let next) = try await container.changes(since: token, limit: limit) else {
      throw Stop()
    }
    return (sets, next)
  }

  private func isExpired(_ container: PersistentContainer, _ token: HistoryToken) async throws -> Bool {
    guard case .expired(let now) = try await container.changes(since: token) else { return false }
    return try await container.historyToken() == now
  }

  @Test func `a store keeps no history by default`() async throws {
    let container = try await open(.unchanged)
    try await container.newContext().persist { _ = $0.insert(Film.self) }
    await #expect {
      _ = try await container.historyToken()
    } throws: { error in
      guard case .noHistory = error as? PersistenceError else { return false }
      return "\(error)" == "the store keeps no history of its commits"
    }
  }

  @Test func `the history lists the commits since a token in order, with values`() async throws {
    let container = try await open()
    let context = container.newContext()
    let (kept, gone) = try await context.persist { objects in
      let (kept, gone) = (objects.insert(Film.self), objects.insert(Film.self))
      (kept.title, gone.title) = ("Fargo", "Brazil")
      return (kept.id, gone.id)
    }
    let token = try await container.historyToken()
    try await context.persist { objects in
      try objects.object(kept).title = "Fargo!"
      try objects.object(kept).director = objects.insert(Director.self)
      objects.delete(try objects.object(gone))
    }
    try await container.newContext().persist { objects in
      let movie = objects.insert(Movie.self)
      (movie.title, movie.popularity, movie.remoteID) = ("Alien", 0.5, -7)
      movie.familyMembers.insert(objects.insert(FamilyMember.self))
    }
    let (sets, next) = try await changes(container, since: token)
    #expect(
      sets.map(\.description) == ["Film: +0 ~1 -1, Director: +1 ~0 -0", "Movie: +1 ~0 -0, FamilyMember: +1 ~0 -0"])
    let change = try #require(sets.first?.change(of: kept))
    #expect(change.values(of: \.title)?.old == "Fargo" && change.values(of: \.title)?.new == "Fargo!")
    #expect(change.attributes.map(\.attribute) == ["title", "director"])
    #expect(sets.first?.change(of: gone)?.attributes.map(\.old) == [.text("Brazil"), .integer(0), .null])
    let movie = try #require(sets.last?.changes(of: Movie.self).first)
    #expect(movie.attributes.map(\.new) == [.text("Alien"), .real(0.5), .integer(-7)])
    #expect(try await changes(container, since: next).sets.isEmpty)
    // One by one
    let (first, middle) = try await changes(container, since: token, limit: 1)
    let (second, end) = try await changes(container, since: middle, limit: 1)
    #expect(first.map(\.description) == sets[..<1].map(\.description))
    #expect(second.map(\.description) == sets[1...].map(\.description) && end == next)
  }

  @Test func `a history token belongs to the snapshot that its closure reads`() async throws {
    let container = try await open()
    let context = container.newContext()
    let token = try await context.perform { objects in
      #expect(try objects.count(Film.self) == 0)
      let token = try objects.historyToken()
      let done = DispatchSemaphore(value: 0)
      container.newContext().persist({ _ = $0.insert(Film.self) }) { _ in done.signal() }
      done.wait()
      // Another context's commit does not change it
      #expect(try objects.historyToken() == token && objects.count(Film.self) == 0)
      return token
    }
    #expect(try await changes(container, since: token).sets.count == 1)
    // Uncommitted changes are not listed.
    try await context.persist { objects in
      _ = objects.insert(Film.self)
      #expect(try objects.count(Film.self) == 2)
      guard case .changes(let sets, _) = try objects.changes(since: token) else { throw Stop() }
      #expect(sets.count == 1)
    }
  }

  @Test func `an encoded history token stays valid after its container is closed`() async throws {
    let container = try await open()
    let token = try JSONDecoder().decode(
      HistoryToken.self, from: JSONEncoder().encode(try await container.historyToken()))
    await container.close()
    let other = try await open(.unchanged)
    try await other.newContext().persist { _ = $0.insert(Film.self) }
    #expect(try await changes(other, since: token).sets.map(\.description) == ["Film: +1 ~0 -0"])
  }

  @Test func `containers with no history setting write the history that a store keeps`() async throws {
    let unaware = try await open(.unchanged)
    let context = unaware.newContext()
    try await context.persist { _ = $0.insert(Film.self) }
    let container = try await open()
    let token = try await container.historyToken()
    try await context.persist { _ = $0.insert(Film.self) }
    try await context.persist { _ = try $0.update(Film.self, where: { $0.year == 0 }, set: [.set(\.year, to: 1)]) }
    let ended = try await open(.off)
    try await context.persist { _ = $0.insert(Film.self) }
    await #expect(throws: PersistenceError.self) { try await ended.historyToken() }
    let again = try await open()
    #expect(try await isExpired(again, token))
    try await context.persist { _ = $0.insert(Film.self) }
    // An entry without changes represents all missed commits.
    let now = try await again.historyToken()
    #expect(try await changes(again, since: now).sets.isEmpty)
    #expect(now != token)
  }

  @Test func `the history is bounded, and a token that is older than the history is expired`() async throws {
    let container = try await open(.kept(bytes: 4_000))
    let context = container.newContext()
    var tokens = [try await container.historyToken()]
    for number in 0..<200 {
      try await context.persist { $0.insert(Film.self).title = "film \(number)" }
      tokens.append(try await container.historyToken())
    }
    var expired = 0
    for (index, token) in tokens.enumerated() {
      if try await isExpired(container, token) {
        #expect(index == expired)
        expired += 1
      } else {
        #expect(try await changes(container, since: token).sets.count == 200 - index)
      }
    }
    #expect((100..<190).contains(expired))
    // A commit larger than the limit is kept without values, or without ids.
    let token = try await container.historyToken()
    let id = try await context.persist { objects in
      let film = objects.insert(Film.self)
      film.title = String(repeating: "long ", count: 2_000)
      return film.id
    }
    try await context.persist { objects in for _ in 0..<5_000 { _ = objects.insert(Film.self) } }
    let sets = try await changes(container, since: token).sets
    #expect(
      sets.first == nil || sets[0].inserted(Film.self) == [id] && sets[0].change(of: id)?.attributes.isEmpty == true)
    #expect(sets.last?.affects(Film.self) == true && sets.last?.isComplete(for: Film.self) == false)
  }

  @Test func `a token is expired in another store and in a copy made before the token`() async throws {
    let container = try await open()
    let context = container.newContext()
    let early = try await container.historyToken()
    try await context.persist { _ = $0.insert(Film.self) }
    let copy = store.folder.appending(path: "copy.db")
    try await container.backup(to: copy)
    try await context.persist { _ = $0.insert(Film.self) }
    let late = try await container.historyToken()
    let copied = try await PersistentContainer(at: .file(copy), schema: container.schema)
    try await copied.newContext().persist { _ = $0.insert(Director.self) }
    #expect(
      try await changes(copied, since: early).sets.map(\.description) == ["Film: +1 ~0 -0", "Director: +1 ~0 -0"])
    #expect(try await isExpired(copied, late))
    let other = try await PersistentContainer(at: .inMemory, schema: container.schema) { $0.history = .kept() }
    #expect(try await isExpired(other, early))
  }

  @Test func `a rollback, a failed save and a preview add nothing to the history`() async throws {
    let container = try await open()
    let context = container.newContext()
    try await context.persist { $0.insert(Movie.self).remoteID = 1 }
    let token = try await container.historyToken()
    await #expect(throws: PersistenceError.self) { try await context.persist { $0.insert(Movie.self).remoteID = 1 } }
    await #expect(throws: PersistenceError.self) {
      try await context.persist { objects in
        _ = objects.insert(Film.self)
        throw Stop()
      }
    }
    _ = try await context.preview { _ = $0.insert(Film.self) }
    try await context.persist { _ = try $0.fetch(Film.self) }
    #expect(try await changes(container, since: token).sets.isEmpty)
  }

  @Test func `the history lists bulk changes by their ids`() async throws {
    let container = try await open()
    let context = container.newContext()
    let token = try await container.historyToken()
    let ids = try await context.persist { objects in (0..<3).map { _ in objects.insert(Film.self).id } }
    try await context.persist { objects in
      _ = try objects.update(Film.self, where: { $0.year == 0 }, set: [.set(\.year, to: 7)])
    }
    try await context.persist { _ = try $0.delete(Film.self, where: { $0.year == 7 }) }
    let sets = try await changes(container, since: token).sets
    #expect(sets.count == 3 && sets[1].updated(Film.self) == ids && sets[2].deleted(Film.self) == ids)
  }

  @Test func `a container with fewer classes in another order reads the changes of its classes`() async throws {
    let container = try await open()
    let other = try await store.open(FamilyMember.self, Movie.self) { _ in }
    let token = try await other.historyToken()
    try await container.newContext().persist { objects in
      _ = objects.insert(Film.self)
      objects.insert(Movie.self).familyMembers.insert(objects.insert(FamilyMember.self))
    }
    let set = try #require(try await changes(other, since: token).sets.first)
    #expect(set.description == "FamilyMember: +1 ~0 -0, Movie: +1 ~0 -0")
    try await other.newContext().persist { try $0.apply(set.inverted) }
    #expect(try await container.newContext().perform { try $0.count(Movie.self) + $0.count(FamilyMember.self) } == 0)
  }

  @Test func `a migration restarts the history`() async throws {
    let first = try await PersistentContainer(at: .file(store.file), schema: Schema(Early.Item.self)) {
      $0.history = .kept()
    }
    try await first.newContext().persist { _ = $0.insert(Early.Item.self) }
    let token = try await first.historyToken()
    await first.close()
    let second = try await PersistentContainer(at: .file(store.file), schema: Schema(Late.Item.self))
    #expect(second.migration != nil)
    #expect(try await isExpired(second, token))
    let now = try await second.historyToken()
    try await second.newContext().persist { $0.insert(Late.Item.self).rating = 2 }
    let set = try #require(try await changes(second, since: now).sets.first)
    #expect(set.changes(of: Late.Item.self).first?.attributes.map(\.new) == [.text(""), .integer(2)])
  }
}

private enum Early {
  final class Item: ManagedObject {
    @Attribute var name = ""
  }
}

private enum Late {
  final class Item: ManagedObject {
    @Attribute var name = ""
    @Attribute var rating = 0
  }
}
