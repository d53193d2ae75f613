import Persistence
import Testing

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
}
