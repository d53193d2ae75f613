import Testing

@testable import Persistence

/// The first instance has the word of an attribute, by which its place is found, in another place as well.
private final class Echo: ManagedObject {
  private static let isFirst = Lock(true)
  var echo: UInt32 = 0
  @Attribute var title = "t"
  @Attribute var count = 1

  required init() {
    super.init()
    let isFirst = Echo.isFirst.withLock { isFirst in
      defer { isFirst = false }
      return isFirst
    }
    if isFirst { echo = _count.slot }
  }
}

@Suite struct SampleTests {
  @Test func `schemas made side by side, again and again, find every attribute`() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for round in 0..<64 {
        group.addTask {
          let schema =
            round.isMultiple(of: 2)
            ? Schema(Show.self, Studio.self, Actor.self) : Schema(Actor.self, Everything.self, Studio.self, Show.self)
          _ = try await PersistentContainer(at: .inMemory, schema: schema)
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `a word that is in memory twice by chance leads nobody astray`() async throws {
    let container = try await PersistentContainer(at: .inMemory, schema: Schema(Echo.self))
    let id = try await container.newContext().persist { objects in
      let object = objects.insert(Echo.self)
      object.title = "other"
      object.count = 7
      return object.id
    }
    try await container.newContext().perform { objects in
      let object = try objects.object(id)
      #expect(object.title == "other" && object.count == 7)
    }
  }
}
