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

private final class Stamped: ManagedObject {
  @Attribute var text = ""
  @Attribute var saves = 0

  override func validate() throws { saves += 1 }
}

/// Gives its follower a text, if it has one to give.
private final class Leader: ManagedObject {
  @Attribute var text = "text"
  @Attribute var gives: String?
  @Attribute var insists = false
  @ToOne(inverse: \Leader.leader) var follower: Leader?
  @ToOne var leader: Leader?

  override func validate() throws {
    if text.isEmpty { throw TooShort() }
    if let gives, let follower, insists || follower.text != gives {
      follower.text = insists && follower.text == gives ? gives + "!" : gives
    }
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

  @Test func `what validation changes in its own object is no reason to ask again`() async throws {
    let container = try await PersistentContainer(at: .inMemory, schema: Schema(Stamped.self))
    let context = container.newContext()
    let id = try await context.persist { $0.insert(Stamped.self).id }
    try await context.persist { objects in
      let object = try objects.object(id)
      object.text = "a"
      _ = try objects.count(Stamped.self)
      object.text = "b"
    }
    let (saves, text) = try await container.newContext().perform { objects in
      let object = try objects.object(id)
      return (object.saves, object.text)
    }
    // Once for the insertion, and once for each change that was put aside
    #expect((2...3).contains(saves) && text == "b")
  }

  @Test(arguments: [false, true])
  func `what validation changes in other objects is validated`(isStored: Bool) async throws {
    let container = try await PersistentContainer(at: .inMemory, schema: Schema(Leader.self))
    let context = container.newContext()
    let ids = try await context.persist { [$0.insert(Leader.self).id, $0.insert(Leader.self).id] }
    await #expect {
      try await context.persist { objects in
        let pair =
          isStored
          ? try ids.map { try objects.object($0) } : [objects.insert(Leader.self), objects.insert(Leader.self)]
        pair[0].follower = pair[1]
        pair[1].text = "valid"
        pair[0].gives = ""
      }
    } throws: { error in
      guard case .invalidObject(let object) = error as? PersistenceError else { return false }
      return object.reason is TooShort
    }
  }

  @Test func `validations that change each other's objects for ever are refused`() async throws {
    let container = try await PersistentContainer(at: .inMemory, schema: Schema(Leader.self))
    let context = container.newContext()
    await #expect {
      try await context.persist { objects in
        let pair = [objects.insert(Leader.self), objects.insert(Leader.self)]
        (pair[0].follower, pair[1].follower) = (pair[1], pair[0])
        for leader in pair { (leader.gives, leader.insists) = ("x", true) }
      }
    } throws: { error in
      guard case .invalidObject(let object) = error as? PersistenceError else { return false }
      return object.reason is EndlessValidation && "\(error)".contains("again and again")
    }
    #expect(try await context.perform { try $0.count(Leader.self) } == 0)
    // And a chain, however long, is none of these
    try await context.persist { objects in
      var last: Leader?
      for number in 0..<3_000 {
        let leader = objects.insert(Leader.self)
        leader.text = "\(number)"
        leader.follower = last
        leader.gives = "given"
        last = leader
      }
    }
    #expect(try await container.newContext().perform { try $0.count(Leader.self, where: \.text == "given") } == 2_999)
  }

  @Test func `a change that passes through many stored objects is no endless one`() async throws {
    let container = try await PersistentContainer(at: .inMemory, schema: Schema(Leader.self))
    let count = 12_000
    let first = try await container.newContext().persist { objects in
      let all = (0..<count).map { _ in objects.insert(Leader.self) }
      for (leader, follower) in zip(all, all.dropFirst()) { leader.follower = follower }
      return all[0].id
    }
    // Nobody is validated then.
    _ = try await container.newContext().persist { try $0.update(Leader.self, set: [.set(\.gives, to: "given")]) }
    try await container.newContext().persist { try $0.object(first).text = "changed" }
    let reached = try await container.newContext().perform { try $0.count(Leader.self, where: \.text == "given") }
    #expect(reached == count - 1)
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
