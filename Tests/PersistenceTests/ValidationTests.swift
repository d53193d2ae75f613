import Foundation
import Persistence
import Testing

private struct TooShort: Error, Equatable {}

private final class Word: ManagedObject {
  @Attribute var text = ""
  @Attribute var length = 0

  override func validate() throws {
    if text.isEmpty { throw TooShort() }
    if length != text.count { length = text.count }
  }
}

private final class Misindexed: ManagedObject {
  @Attribute var name = ""
  override class var indexes: [AttributeIndex] { [.on(\Misindexed.name.count)] }
}

@Suite struct ValidationTests {
  @Test func `an object that refuses to be saved is named, with its reason`() async throws {
    let context = try await PersistentContainer(at: .inMemory, schema: Schema(Word.self)).newContext()
    await #expect {
      try await context.persist { _ = $0.insert(Word.self) }
    } throws: { error in
      guard case .invalidObject(let object) = error as? PersistenceError else { return false }
      return object.type == "Word" && object.reason is TooShort
    }
    #expect(try await context.perform { try $0.count(Word.self) } == 0)
  }

  @Test func `what validation changes is saved`() async throws {
    let container = try await PersistentContainer(at: .inMemory, schema: Schema(Word.self))
    let context = container.newContext()
    let id = try await context.persist { objects in
      let word = objects.insert(Word.self)
      word.text = "four"
      return word.id
    }
    #expect(try await container.newContext().perform { try $0.object(id).length } == 4)
    try await context.persist { try $0.object(id).text = "seven" }
    #expect(try await container.newContext().perform { try $0.object(id).length } == 5)
    // And nothing is validated that is deleted
    try await context.persist { objects in
      let word = try objects.object(id)
      word.text = ""
      objects.delete(word)
    }
  }

  @Test func `a combination must be unique, its parts need not be`() async throws {
    let container = try await PersistentContainer(
      at: .inMemory, schema: Schema(Episode.self))
    let context = container.newContext()
    try await context.persist { objects in
      for (season, number) in [(1, 1), (1, 2), (2, 1)] {
        let episode = objects.insert(Episode.self)
        (episode.season, episode.number) = (season, number)
      }
      _ = (objects.insert(Episode.self), objects.insert(Episode.self))
    }
    await #expect {
      try await context.persist { objects in
        let episode = objects.insert(Episode.self)
        (episode.season, episode.number) = (1, 2)
      }
    } throws: { error in
      guard case .notUnique(let violation) = error as? PersistenceError else { return false }
      return violation.attributes == ["season", "number"]
    }
    // Two of them can be swapped
    try await context.persist { objects in
      let all = try objects.fetch(Episode.self)
      (all[0].number, all[1].number) = (all[1].number, all[0].number)
    }
  }

  @Test func `an index over something else is refused`() async throws {
    await #expect {
      try await PersistentContainer(at: .inMemory, schema: Schema(Misindexed.self))
    } throws: { error in
      guard case .invalidSchema(let problems) = error as? PersistenceError else { return false }
      return problems.map(\.type) == ["Misindexed"]
    }
  }
}

private final class Episode: ManagedObject {
  @Attribute var season = 1
  @Attribute(.column("select")) var number: Int?

  override class var indexes: [AttributeIndex] { [.unique(\Episode.season, \Episode.number)] }
}
