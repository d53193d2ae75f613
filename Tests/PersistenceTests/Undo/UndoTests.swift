import Foundation
import LarderTestSupport
import Testing

@testable import Persistence

@MainActor @Suite struct UndoTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  /// The contents of the store as text.
  private func contents(_ container: PersistentContainer) async throws -> [String] {
    try await container.newContext().perform { objects in
      var lines: [String] = []
      for film in try objects.fetch(Film.self) {
        lines.append("film \(film.id.rawValue) \(film.title) \(film.director?.id.rawValue ?? 0)")
      }
      for director in try objects.fetch(Director.self) {
        lines.append("director \(director.id.rawValue) \(director.name) \(director.films.count)")
      }
      for movie in try objects.fetch(Movie.self) {
        lines.append("movie \(movie.id.rawValue) \(movie.title) \(movie.familyMembers.map { $0.id.rawValue })")
      }
      for member in try objects.fetch(FamilyMember.self) {
        lines.append("member \(member.id.rawValue) \(member.name) \(member.movies.map { $0.id.rawValue })")
      }
      return lines
    }
  }

  private func open() async throws -> PersistentContainer {
    try await store.open(Film.self, Director.self, Movie.self, FamilyMember.self)
  }

  private static func change(_ objects: ObjectSpace, _ random: inout SplitMix) throws {
    let film = objects.insert(Film.self)
    film.title = "\(Int.random(in: 0..<100, using: &random))"
    film.director = try objects.fetch(Director.self).randomElement(using: &random)
    if Bool.random(using: &random) { objects.insert(Director.self).name = "new" }
    if let film = try objects.fetch(Film.self).randomElement(using: &random) { film.title += "x" }
    if let film = try objects.fetch(Film.self).randomElement(using: &random) { objects.delete(film) }
    if let director = try objects.fetch(Director.self).randomElement(using: &random), Bool.random(using: &random) {
      objects.delete(director)
    }
    let movie = objects.insert(Movie.self)
    movie.familyMembers.insert(contentsOf: try objects.fetch(FamilyMember.self))
    if Bool.random(using: &random) { movie.familyMembers.insert(objects.insert(FamilyMember.self)) }
    if let movie = try objects.fetch(Movie.self).randomElement(using: &random) {
      if Bool.random(using: &random) { movie.familyMembers.removeAll() } else { objects.delete(movie) }
    }
  }

  @Test func `random commits are undone and redone one by one`() async throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    print("undo: seed \(seed)")
    var random = SplitMix(seed: seed)
    let container = try await open()
    let view = container.viewContext
    view.setUndoLimit(100)
    var states = [try await contents(container)]
    while states.count < 21 {
      let kept = states.count - 1
      try view.persist { try Self.change($0, &random) }
      let state = try await contents(container)
      // A commit that inserts and deletes the same object is not recorded.
      if try view.objects.undoHistory?.done.count ?? 0 > kept {
        states.append(state)
      } else {
        #expect(state == states.last)
      }
    }
    for state in states.dropLast().reversed() {
      #expect(try view.undo())
      #expect(try await contents(container) == state, "seed \(seed)")
    }
    #expect(try !view.undo() && !view.canUndo && view.canRedo)
    for state in states.dropFirst() {
      #expect(try view.redo())
      #expect(try await contents(container) == state, "seed \(seed)")
    }
    #expect(try !view.redo() && view.canUndo && !view.canRedo)
  }

  @Test func `undo and redo return unique values that have passed to other objects`() async throws {
    let container = try await open()
    let context = container.newContext()
    await context.setUndoLimit(9)
    let ids = try await context.persist { objects in
      (1...2).map { number in
        let movie = objects.insert(Movie.self)
        movie.remoteID = Int64(number)
        return movie.id
      }
    }
    try await context.persist { objects in
      let (first, second) = (try objects.object(ids[0]), try objects.object(ids[1]))
      (first.remoteID, second.remoteID) = (second.remoteID, first.remoteID)
    }
    try await context.persist { objects in
      objects.delete(try objects.object(ids[0]))
      objects.insert(Movie.self).remoteID = 2
    }
    for expected in [[2, 1], [1, 2]] as [[Int64]] {
      #expect(try await context.undo())
      #expect(try await context.perform { try $0.fetch(Movie.self).map(\.remoteID) } == expected)
    }
    for expected in [[2, 1], [1, 2]] as [[Int64]] {
      #expect(try await context.redo())
      #expect(try await context.perform { try $0.fetch(Movie.self).map(\.remoteID) } == expected)
    }
  }

  @Test func `a new commit discards redo, and the undo limit holds`() async throws {
    let container = try await open()
    let context = container.newContext()
    try await context.persist { $0.insert(Film.self).title = "not kept" }
    await context.setUndoLimit(2)
    for title in ["a", "b", "c"] { try await context.persist { $0.insert(Film.self).title = title } }
    try await context.undo()
    #expect(await context.canRedo)
    try await context.persist { $0.insert(Film.self).title = "d" }
    #expect(await !context.canRedo)
    #expect(try await context.redo() == false)
    for expected in [true, true, false] { #expect(try await context.undo() == expected) }
    #expect(try await contents(container).count == 2)
  }

  @Test func `undoing a change that another context has overwritten is a conflict`() async throws {
    let container = try await open()
    let context = container.newContext()
    await context.setUndoLimit(5)
    let id = try await context.persist { $0.insert(Film.self).id }
    try await context.persist { objects in
      let film = try objects.object(id)
      (film.title, film.year) = ("mine", 1)
    }
    try await container.newContext().persist { try $0.object(id).title = "theirs" }
    await #expect {
      try await context.undo()
    } throws: { error in
      guard case .conflict(let conflict) = error as? PersistenceError else { return false }
      return conflict.attributes.map(\.attribute) == ["title"] && conflict.attributes.map(\.theirs) == [.text("theirs")]
    }
    #expect(try await contents(container) == ["film 1 theirs 0"])
    #expect(await context.canUndo)
  }

  @Test func `undo fails while changes are pending`() async throws {
    let container = try await open()
    let view = container.viewContext
    view.setUndoLimit(1)
    let film = try view.persist { $0.insert(Film.self) }
    film.title = "pending"
    #expect {
      try view.undo()
    } throws: { error in
      guard case .unsavedChanges = error as? PersistenceError else { return false }
      return true
    }
    view.rollback()
    #expect(try view.undo() && film.isDeleted)
  }

  @Test func `a context can undo another context's change set`() async throws {
    let container = try await open()
    let context = container.newContext()
    var commits = container.commits.makeAsyncIterator()
    try await context.persist { $0.insert(Film.self).title = "a" }
    let changes = try #require(await commits.next())
    let other = container.newContext()
    try await other.persist { try $0.apply(changes.inverted) }
    #expect(try await contents(container).isEmpty)
    try await other.persist { try $0.apply(changes) }
    #expect(try await contents(container) == ["film 1 a 0"])
    await #expect(throws: PersistenceError.self) { try await other.persist { try $0.apply(changes) } }
  }

  @Test func `a preview returns what a save would commit, and changes nothing`() async throws {
    let container = try await open()
    let context = container.newContext()
    let id = try await context.persist { $0.insert(Film.self).id }
    let changes = try await context.preview { objects in
      try objects.object(id).title = "new"
      objects.insert(Director.self).name = "Coen"
    }
    #expect(changes.updated(Film.self) == [id] && changes.inserted(Director.self).count == 1)
    #expect(changes.change(of: id)?.values(of: \.title)?.new == "new")
    #expect(await !context.hasChanges)
    #expect(try await contents(container) == ["film 1  0"])
    #expect(try await context.preview { _ = try $0.count(Film.self) }.isEmpty)
    // The previewed change set can be applied.
    try await context.persist { try $0.apply(changes) }
    #expect(try await contents(container) == ["film 1 new 0", "director 1 Coen 0"])
  }

  @Test func `a preview throws the errors that a save would throw`() async throws {
    let container = try await open()
    let view = container.viewContext
    try view.persist { $0.insert(Movie.self).remoteID = 1 }
    let pending = view.insert(Film.self)
    #expect(throws: PersistenceError.self) { try view.preview { $0.insert(Movie.self).remoteID = 1 } }
    #expect(throws: PersistenceError.self) { try view.preview { _ in throw Stop() } }
    #expect(try view.hasChanges && !pending.isDeleted && view.objects.count(Movie.self) == 1)
    #expect(try view.preview { _ in }.inserted(Film.self) == [pending.id])
    #expect(view.hasChanges)
  }

  @Test func `after a bulk change of objects that are not in memory, no earlier commit can be undone`() async throws {
    let container = try await open()
    let context = container.newContext()
    await context.setUndoLimit(9)
    let id = try await context.persist { objects in
      let film = objects.insert(Film.self)
      (film.title, film.year) = ("first", 1)
      return film.id
    }
    try await context.persist { try $0.object(id).title = "second" }
    try await context.persist { try $0.object(id).year = 2 }
    try await context.undo()
    // The context holds no object, so the change set has ids only
    try await context.persist { _ = try $0.update(Film.self, set: [.set(\.year, to: 3)]) }
    #expect(await !context.canUndo)
    #expect(await !context.canRedo)
    #expect(try await !context.undo())
    #expect(try await contents(container) == ["film 1 second 0"])
    #expect(try await context.perform { try $0.object(id).year } == 3)
    try await context.persist { try $0.object(id).title = "third" }
    #expect(try await context.undo())
    #expect(try await contents(container) == ["film 1 second 0"])
    #expect(try await !context.undo())
  }

  @Test func `a commit that cannot be undone can be skipped, and undo continues before it`() async throws {
    let container = try await open()
    let context = container.newContext()
    await context.setUndoLimit(9)
    let (first, second) = try await context.persist { objects in
      let (first, second) = (objects.insert(Film.self), objects.insert(Film.self))
      (first.title, second.title) = ("a", "b")
      return (first.id, second.id)
    }
    try await context.persist { try $0.object(first).title = "A" }
    try await context.persist { try $0.object(second).title = "B" }
    try await container.newContext().persist { try $0.object(second).title = "theirs" }
    for _ in 0..<2 { await #expect(throws: PersistenceError.self) { try await context.undo() } }
    #expect(await context.skipUndo())
    #expect(try await context.undo())
    #expect(try await contents(container) == ["film 1 a 0", "film 2 theirs 0"])
    #expect(try await context.redo())
    for expected in [true, true, false] { #expect(await context.skipUndo() == expected) }
    #expect(await !context.canUndo)
    // The view context behaves the same.
    let view = container.viewContext
    #expect(!view.skipUndo())
    view.setUndoLimit(1)
    try view.persist { try $0.object(first).year = 1 }
    #expect(view.skipUndo() && !view.canUndo)
  }

  @Test func `a context that is reset has nothing to undo or redo`() async throws {
    let container = try await open()
    let context = container.newContext()
    await context.setUndoLimit(9)
    let view = container.viewContext
    view.setUndoLimit(9)
    for title in ["a", "b"] {
      try await context.persist { $0.insert(Film.self).title = title }
      try view.persist { $0.insert(Director.self).name = title }
    }
    try await context.undo()
    try view.undo()
    #expect(await context.canUndo)
    #expect(await context.canRedo)
    #expect(view.canUndo && view.canRedo)
    await context.reset()
    view.reset()
    #expect(await !context.canUndo)
    #expect(await !context.canRedo)
    #expect(!view.canUndo && !view.canRedo)
    #expect(try await !context.undo())
    #expect(try !view.undo() && !view.redo())
    // The limit stays.
    try await context.persist { $0.insert(Film.self).title = "c" }
    try view.persist { $0.insert(Director.self).name = "c" }
    #expect(await context.canUndo)
    #expect(view.canUndo)
  }
}
