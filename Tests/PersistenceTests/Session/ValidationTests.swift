import Foundation
import Persistence
import Testing

private struct TooShort: Error, Equatable {}

private struct Unknown: LocalizedError {
  var errorDescription: String? { "This word is in no dictionary." }
}

private final class Word: ManagedObject {
  @Attribute var text = ""
  @Attribute var length = 0

  override func validate() throws {
    if text.isEmpty { throw TooShort() }
    if text == "xyz" { throw Unknown() }
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
  @Test func `a save names the object whose validation fails, with the reason`() async throws {
    let context = try await PersistentContainer(at: .inMemory, schema: Schema(Word.self)).newContext()
    await #expect {
      try await context.persist { _ = $0.insert(Word.self) }
    } throws: { error in
      guard case .invalidObject(let object) = error as? PersistenceError else { return false }
      return object.type == "Word" && object.reason is TooShort
    }
    #expect(try await context.perform { try $0.count(Word.self) } == 0)
  }

  @Test func `the description of a failed validation has the words of a localized error`() async throws {
    let context = try await PersistentContainer(at: .inMemory, schema: Schema(Word.self)).newContext()
    let error = await #expect(throws: PersistenceError.self) {
      try await context.persist { $0.insert(Word.self).text = "xyz" }
    }
    #expect(error?.localizedDescription.hasSuffix("is not valid: This word is in no dictionary.") == true)
  }

  @Test func `a save includes the changes that validation makes`() async throws {
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
    // And deleted objects are not validated
    try await context.persist { objects in
      let word = try objects.object(id)
      word.text = ""
      objects.delete(word)
    }
  }

  @Test func `an object whose validation changes only itself is not validated again`() async throws {
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
    // Once for the insertion, and once for each time that changes were written
    #expect((2...3).contains(saves) && text == "b")
  }

  @Test(arguments: [false, true])
  func `objects that another object's validation changes are validated too`(isStored: Bool) async throws {
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

  @Test func `validations that keep changing each other's objects fail the save`() async throws {
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
      return object.reason is ValidationCycleError && "\(error)".contains("keep changing")
    }
    #expect(try await context.perform { try $0.count(Leader.self) } == 0)
    // And a chain of changes, however long, succeeds
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
    #expect(
      try await container.newContext().perform { try $0.count(Leader.self, where: { $0.text == "given" }) } == 2_999)
  }

  @Test func `validation may pass a change along thousands of stored objects`() async throws {
    let container = try await PersistentContainer(at: .inMemory, schema: Schema(Leader.self))
    let count = 12_000
    let first = try await container.newContext().persist { objects in
      let all = (0..<count).map { _ in objects.insert(Leader.self) }
      for (leader, follower) in zip(all, all.dropFirst()) { leader.follower = follower }
      return all[0].id
    }
    // A bulk update validates no objects.
    _ = try await container.newContext().persist { try $0.update(Leader.self, set: [.set(\.gives, to: "given")]) }
    try await container.newContext().persist { try $0.object(first).text = "changed" }
    let reached = try await container.newContext().perform { try $0.count(Leader.self, where: { $0.text == "given" }) }
    #expect(reached == count - 1)
  }

  @Test func `a unique index over two attributes requires unique combinations only`() async throws {
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
    // Two values can be swapped
    try await context.persist { objects in
      let all = try objects.fetch(Episode.self)
      (all[0].number, all[1].number) = (all[1].number, all[0].number)
    }
  }

  @Test func `a schema rejects an index over something other than an attribute`() async throws {
    await #expect {
      try await PersistentContainer(at: .inMemory, schema: Schema(Misindexed.self))
    } throws: { error in
      guard case .invalidSchema(let problems) = error as? PersistenceError else { return false }
      return problems.map(\.type) == ["Misindexed"]
    }
  }

  @Test func `a schema reports every wrong index of a class at once`() async throws {
    await #expect {
      try await PersistentContainer(at: .inMemory, schema: Schema(Manifold.self))
    } throws: { error in
      guard case .invalidSchema(let problems) = error as? PersistenceError else { return false }
      return problems.count == 2 && problems[0].text.hasPrefix("an index must name")
        && problems[1].text.hasPrefix("an index: ")
    }
  }
}

private final class Episode: ManagedObject {
  @Attribute var season = 1
  @Attribute(.column("select")) var number: Int?

  override class var indexes: [AttributeIndex] { [.unique(\Episode.season, \Episode.number)] }
}

private final class Manifold: ManagedObject {
  @Attribute var title = ""

  override class var indexes: [AttributeIndex] {
    [
      .on(\Manifold.title, \Manifold.title), .on(\Manifold.title),
      .on(\Manifold.title, where: { $0.title.hasSuffix("a") }),
    ]
  }
}
