import Foundation
import Persistence
import Testing

/// Three-way merges at save, with changes of another container that the context has not merged before.
@MainActor @Suite struct MergePolicyTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  /// A film that two containers have read and then changed; the changes of `theirs` are saved.
  private func merge(
    _ policy: MergePolicy, mine: (ObjectSpace, Film) throws -> Void,
    theirs: @escaping @Sendable (ObjectSpace, Film) throws -> Void
  ) async throws -> (view: ViewContext, film: Film) {
    let container = try await store.open(Film.self, Director.self)
    let other = try await store.open(Film.self, Director.self).newContext()
    let view = container.viewContext
    view.setMergePolicy(policy)
    let film = try view.persist { objects in
      let film = objects.insert(Film.self)
      (film.title, film.year) = ("base", 1)
      return film
    }
    let id = film.id
    try mine(try view.objects, film)
    try await other.persist { objects in try theirs(objects, try objects.object(id)) }
    return (view, film)
  }

  private func stored() async throws -> [String] {
    try await store.open(Film.self, Director.self).newContext().perform { objects in
      try objects.fetch(Film.self).map { "\($0.title) \($0.year)" }
    }
  }

  @Test func `a merge policy that is set on a context in use applies from the next save`() async throws {
    let context = try await store.open(Film.self, Director.self).newContext()
    let id = try await context.persist { $0.insert(Film.self).id }
    try await context.perform { try $0.object(id).title = "mine" }
    try await store.open(Film.self, Director.self).newContext().persist { try $0.object(id).title = "theirs" }
    await context.setMergePolicy(.mine)
    try await context.persist { _ in }
    #expect(try await stored().map { $0.prefix(4) } == ["mine"])
  }

  @Test(arguments: [MergePolicy.report, .mine, .theirs])
  func `changes of different attributes merge under every policy`(_ policy: MergePolicy) async throws {
    let (view, film) = try await merge(policy) { _, film in
      film.title = "mine"
    } theirs: { _, film in
      film.year = 2
    }
    try view.save()
    #expect(film.title == "mine" && film.year == 2 && !view.hasChanges)
    #expect(try await stored() == ["mine 2"])
    film.year = 3
    try view.save()
    #expect(try await stored() == ["mine 3"])
  }

  @Test func `a conflict reports an attribute's base, mine and theirs, and no change is lost`() async throws {
    let (view, film) = try await merge(.report) { _, film in
      (film.title, film.year) = ("mine", 2)
    } theirs: { _, film in
      (film.title, film.year) = ("theirs", 2)
    }
    #expect {
      try view.save()
    } throws: { error in
      guard case .conflict(let conflict) = error as? PersistenceError else { return false }
      #expect("\(error)".contains("Film") && !"\(error)".contains("mine"))
      return conflict.kind == .changed && conflict.id == film.id.rawValue
        && conflict.attributes.map(\.attribute) == ["title"]
        && conflict.attributes.map(\.base) == [.text("base")] && conflict.attributes.map(\.mine) == [.text("mine")]
        && conflict.attributes.map(\.theirs) == [.text("theirs")]
    }
    #expect(film.title == "mine" && view.hasChanges)
    #expect(try await stored() == ["theirs 2"])
    view.setMergePolicy(.mine)
    try view.save()
    #expect(try await stored() == ["mine 2"])
  }

  @Test func `the policies mine and theirs decide whose value of an attribute wins`() async throws {
    for (policy, expected) in [(MergePolicy.mine, "mine 2"), (.theirs, "theirs 2")] {
      let store = try Self().store
      _ = store
      let (view, film) = try await merge(policy) { _, film in
        film.title = "mine"
      } theirs: { _, film in
        (film.title, film.year) = ("theirs", 2)
      }
      try view.save()
      #expect("\(film.title) \(film.year)" == expected && !view.hasChanges)
      #expect(try await stored().last == expected)
    }
  }

  @Test func `a custom merge policy decides about each attribute`() async throws {
    let policy = MergePolicy.custom { conflict in
      guard conflict.attribute == "year", case .integer(let mine) = conflict.mine,
        case .integer(let theirs) = conflict.theirs
      else { return .theirs }
      return .value(.integer(max(mine, theirs)))
    }
    let (view, film) = try await merge(policy) { _, film in
      (film.title, film.year) = ("mine", 7)
    } theirs: { _, film in
      (film.title, film.year) = ("theirs", 5)
    }
    try view.save()
    #expect(film.title == "theirs" && film.year == 7)
    #expect(try await stored() == ["theirs 7"])
  }

  @Test func `a custom merge policy that returns a value of the wrong type is a conflict`() async throws {
    let (view, _) = try await merge(.custom { _ in .value(.text("no number")) }) { _, film in
      film.year = 7
    } theirs: { _, film in
      film.year = 5
    }
    #expect(throws: PersistenceError.self) { try view.save() }
    #expect(try await stored() == ["base 5"])
  }

  @Test func `a rollback after a merge in a failed save restores the stored values`() async throws {
    let (view, film) = try await merge(.mine) { objects, film in
      film.title = "mine"
    } theirs: { _, film in
      (film.title, film.year) = ("theirs", 2)
    }
    // The merge succeeds, and then the save fails.
    #expect(throws: PersistenceError.self) {
      try view.persist { objects in
        _ = try objects.fetch(Film.self)
        throw Stop()
      }
    }
    #expect(film.title == "mine" && view.hasChanges)
    view.rollback()
    #expect(film.title == "theirs" && film.year == 2)
    film.year = 9
    try view.save()
    #expect(try await stored() == ["theirs 9"])
  }

  @Test func `the policy theirs deletes an edited object that another container deleted`() async throws {
    let (view, film) = try await merge(.theirs) { _, film in
      film.title = "mine"
    } theirs: {
      $0.delete($1)
    }
    try view.save()
    #expect(film.isDeleted && !view.hasChanges)
    #expect(try await stored() == [])
  }

  @Test func `the policy mine reports a conflict for an edited object that was deleted elsewhere`() async throws {
    let (view, film) = try await merge(.mine) { _, film in
      film.title = "mine"
    } theirs: {
      $0.delete($1)
    }
    #expect(throws: PersistenceError.self) { try view.save() }
    #expect(!film.isDeleted && film.title == "mine")
  }

  @Test func `the policy mine deletes an object that another container changed`() async throws {
    let (view, _) = try await merge(.mine) {
      $0.delete($1)
    } theirs: { _, film in
      film.year = 5
    }
    try view.save()
    #expect(try await stored() == [])
  }

  @Test func `deleting an object that another container has deleted is no conflict`() async throws {
    let (view, film) = try await merge(.report) {
      $0.delete($1)
    } theirs: {
      $0.delete($1)
    }
    try view.save()
    #expect(film.isDeleted && !view.hasChanges)
  }

  @Test func `to-one relationships merge like attributes`() async throws {
    let (view, film) = try await merge(.theirs) { objects, film in
      film.director = objects.insert(Director.self)
      film.title = "mine"
    } theirs: { objects, film in
      let director = objects.insert(Director.self)
      director.name = "theirs"
      film.director = director
    }
    try view.save()
    #expect(film.director?.name == "theirs" && film.title == "mine")
    #expect(film.director?.films.map { $0 } == [film])
  }
}
