import Foundation
import Persistence
import Testing

/// Saves of several objects, some of which another container has changed: a batch is written in one statement.
@MainActor @Suite struct BatchMergeTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private static let count = 100

  /// A hundred films in the view context. Another container changes those at the indexes `theirs` in one commit.
  private func films(
    theirs: [Int], _ change: @escaping @Sendable (ObjectSpace, Film) throws -> Void
  ) async throws -> (view: ViewContext, films: [Film]) {
    let view = try await store.open(Film.self, Director.self).viewContext
    let films = try view.persist { objects in
      (0..<Self.count).map { number in
        let film = objects.insert(Film.self)
        (film.title, film.year) = ("base", number)
        return film
      }
    }
    let ids = films.map(\.id)
    try await store.open(Film.self, Director.self).newContext().persist { objects in
      for index in theirs { try change(objects, try objects.object(ids[index])) }
    }
    return (view, films)
  }

  private func stored() async throws -> [String] {
    try await store.open(Film.self, Director.self).newContext().perform { objects in
      try objects.fetch(Film.self).map { "\($0.title) \($0.year)" }
    }
  }

  @Test(arguments: [[0], [31], [32], [5, 6, 40, 99], Array(0..<100)])
  func `saving a batch merges rows whose other attributes another container changed`(_ theirs: [Int]) async throws {
    let (view, films) = try await films(theirs: theirs) { _, film in film.year += 1_000 }
    for film in films { film.title = "mine" }
    try view.save()
    let expected = (0..<Self.count).map { "mine \(theirs.contains($0) ? $0 + 1_000 : $0)" }
    #expect(films.map { "\($0.title) \($0.year)" } == expected)
    #expect(try await stored() == expected)
    // Every object knows its row's version: the next save causes no conflict.
    for film in films { film.title = "mine again" }
    try view.save()
    #expect(try await stored() == expected.map { $0.replacing("mine", with: "mine again") })
  }

  @Test func `a conflict while saving a batch is reported for its object, and nothing is written`() async throws {
    let (view, films) = try await films(theirs: [17, 50]) { _, film in film.title = "theirs" }
    for film in films { film.title = "mine" }
    #expect {
      try view.save()
    } throws: { error in
      guard case .conflict(let conflict) = error as? PersistenceError else { return false }
      return conflict.id == films[17].id.rawValue && conflict.attributes.map(\.base) == [.text("base")]
    }
    #expect(try await stored() == (0..<Self.count).map { "\([17, 50].contains($0) ? "theirs" : "base") \($0)" })
    // The changes are still pending, and the policy decides.
    #expect(view.hasChanges && films.allSatisfy { $0.title == "mine" })
    view.setMergePolicy(.theirs)
    try view.save()
    let expected = (0..<Self.count).map { "\([17, 50].contains($0) ? "theirs" : "mine") \($0)" }
    #expect(films.map { "\($0.title) \($0.year)" } == expected)
    #expect(try await stored() == expected)
  }

  @Test func `the policy theirs discards a batch's edits of rows that others deleted`() async throws {
    let (view, films) = try await films(theirs: [0, 33, 34]) { objects, film in objects.delete(film) }
    for film in films { film.title = "mine" }
    #expect(throws: PersistenceError.self) { try view.save() }
    view.setMergePolicy(.theirs)
    try view.save()
    #expect(films.indices.filter { films[$0].isDeleted } == [0, 33, 34])
    let expected = (0..<Self.count).filter { ![0, 33, 34].contains($0) }.map { "mine \($0)" }
    #expect(try await stored() == expected)
  }

  @Test func `saving a batch with the same values as another container causes no conflict`() async throws {
    let (view, films) = try await films(theirs: [3, 4, 70]) { _, film in film.title = "same" }
    for film in films { film.title = "same" }
    try view.save()
    #expect(try await stored() == (0..<Self.count).map { "same \($0)" })
    for film in films { film.year = 1 }
    try view.save()
    #expect(try await stored() == (0..<Self.count).map { _ in "same 1" })
  }

  @Test func `a rollback after a failed save of a batch restores the stored values`() async throws {
    let (view, films) = try await films(theirs: [8]) { _, film in film.year = -1 }
    for film in films { film.title = "mine" }
    #expect(throws: PersistenceError.self) {
      try view.persist { objects in
        // The fetch writes the batch.
        #expect(try objects.count(Film.self, where: { $0.title == "mine" }) == Self.count)
        throw Stop()
      }
    }
    view.rollback()
    #expect(films.map { "\($0.title) \($0.year)" } == (try await stored()))
  }
}
