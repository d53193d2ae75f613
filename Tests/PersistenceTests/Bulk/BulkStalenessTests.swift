import Foundation
import LarderTestSupport
import Persistence
import Testing

/// Bulk operations beside commits of other contexts that have not reached the objects in memory.
@MainActor @Suite struct BulkStalenessTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  /// Commits elsewhere, and returns before anything else can run on the main actor.
  private func commitElsewhere(_ context: ObjectContext, _ body: @escaping @Sendable (ObjectSpace) throws -> Void) {
    let isDone = DispatchSemaphore(value: 0)
    context.persist(body) { _ in isDone.signal() }
    isDone.wait()
  }

  @Test(arguments: ["import", "update", "delete"])
  func `objects take on the values of a commit that a bulk operation has overtaken`(kind: String) async throws {
    let container = try await store.open(Film.self, Director.self, Left.self, Right.self)
    let context = container.newContext()
    let ids = try await context.persist { objects in
      let director = objects.insert(Director.self)
      return (0..<2).map { _ -> ObjectID<Film> in
        let film = objects.insert(Film.self)
        film.director = director
        return film.id
      }
    }
    let view = container.viewContext
    let film = try view.object(ids[0])
    let (id, other) = (ids[0], ids[1])
    commitElsewhere(context) { try $0.object(id).title = "theirs" }
    try view.persist { objects in
      switch kind {
      case "import": _ = try objects.import(1...3, into: Right.self, matching: \.number, [.set(\.number) { $0 }])
      case "update": try objects.update(Film.self, where: { $0.id == other }, set: [.set(\.year, to: 5)])
      default: try objects.delete(Director.self, matching: .all)
      }
    }
    #expect(film.title == "theirs" && (film.director == nil) == (kind == "delete"))
    film.title = "mine"
    try view.save()
    #expect(try await container.newContext().perform { try $0.object(id).title } == "mine")
  }

  /// What a field closure does while the outer import runs.
  private nonisolated static func writeWithin(_ objects: ObjectSpace, _ number: Int) -> Int {
    if !number.isMultiple(of: 200) { return number }
    do {
      _ = try objects.import([1, 2, 3], into: Right.self, matching: \.number, [.set(\.number) { $0 }])
      _ = try objects.update(Right.self, where: { $0.number == 2 }, set: [.set(\.number, to: 20 + number)])
      _ = try objects.update(Right.self, where: { $0.number == 20 + number }, set: [.set(\.number, to: 2)])
    } catch {
      Issue.record("\(error)")
    }
    return number
  }

  private struct Refused: Error {}

  @Test(arguments: [false, true])
  func `bulk work within an import keeps what was written, and a failure restores it`(fails: Bool) async throws {
    let container = try await store.open(Film.self, Director.self, Left.self, Right.self)
    try await container.newContext().persist { objects in
      for number in 1...3 { objects.insert(Right.self).number = number }
    }
    let view = container.viewContext
    view.setUndoLimit(5)
    let rights = try view.fetch(Right.self, sort: [.ascending(\.number)])
    do {
      try view.persist { objects in
        _ = try objects.import(
          1001...1600, into: Right.self, matching: \.number, [.set(\.number) { Self.writeWithin(objects, $0) }])
        if fails { throw Refused() }
      }
    } catch {
      guard case .body(is Refused) = error, fails else { throw error }
    }
    #expect(rights.map(\.number) == [1, 2, 3])
    let (count, numbers) = try await container.newContext().perform { objects in
      (try objects.count(Right.self), try objects.fetch(Right.self, where: { $0.number < 1000 }).map(\.number))
    }
    #expect(count == (fails ? 3 : 603) && numbers == [1, 2, 3])
    rights[0].number = 9
    try view.save()
    #expect(try await container.newContext().perform { try $0.exists(Right.self, where: { $0.number == 9 }) })
  }
}
