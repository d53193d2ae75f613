import Foundation
import Persistence
import PersistenceTesting
import Testing

@Suite struct LimitTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  @Test func `a save that exceeds the size limit fails, and the context can continue`() async throws {
    let container = try await store.open(Left.self) { $0.sizeLimit = 200_000 }
    let context = container.newContext()
    try await context.persist { $0.insert(Left.self).text = "small" }
    await #expect {
      try await context.persist { $0.insert(Left.self).text = String(repeating: "x", count: 1_000_000) }
    } throws: { error in
      guard case .full = error as? PersistenceError else { return false }
      return (error as? PersistenceError)?.outcome == .rolledBack
    }
    try await context.persist { $0.insert(Left.self).text = "small too" }
    #expect(try await container.newContext().perform { try $0.fetch(Left.self).map(\.text) } == ["small", "small too"])
  }

  @Test func `a writer that waits longer than the busy timeout throws the error busy`() async throws {
    let container = try await store.open(Left.self) { $0.busyTimeout = .milliseconds(20) }
    let (one, other) = (container.newContext(), container.newContext())
    let (begun, begin) = AsyncStream<Void>.makeStream()
    let release = DispatchSemaphore(value: 0)
    let finished: PersistenceError? = await withCheckedContinuation { continuation in
      one.persist({ objects in
        _ = try objects.count(Left.self)
        begin.finish()
        release.wait()
      }) { result in
        if case .failure(let error) = result {
          continuation.resume(returning: error)
        } else {
          continuation.resume(returning: nil)
        }
      }
      Task {
        for await _ in begun {}
        await #expect {
          try await other.persist { _ = $0.insert(Left.self) }
        } throws: { error in
          guard case .busy = error as? PersistenceError else { return false }
          return true
        }
        release.signal()
      }
    }
    #expect(finished == nil)
    try await other.persist { _ = $0.insert(Left.self) }
  }

  @Test func `a size limit bounds the write-ahead log`() async throws {
    let container = try await store.open(Left.self) { $0.logSizeLimit = 64 << 10 }
    let context = container.newContext()
    func logSize() throws -> Int {
      try FileManager.default.attributesOfItem(atPath: store.file.path + "-wal")[.size] as? Int ?? 0
    }
    let id = try await context.persist { $0.insert(Left.self).id }
    // The commits write 40 MB
    var largest = 0
    for round in 0..<200 {
      try await context.persist { try $0.object(id).text = String(repeating: "\(round % 10)", count: 200_000) }
      largest = max(largest, try logSize())
    }
    #expect(largest < 6 << 20)
  }

  @Test func `commits sync to the disk only if they are to survive a loss of power`() async throws {
    var operations: [Durability: Int] = [:]
    for durability in [Durability.processCrash, .powerLoss] {
      let faults = StorageFaults()
      let url = store.folder.appending(path: "\(durability).db")
      let container = try await PersistentContainer(at: .file(url), schema: Schema(Left.self)) { configuration in
        faults.apply(to: &configuration)
        configuration.durability = durability
      }
      let context = container.newContext()
      let id = try await context.persist { $0.insert(Left.self).id }
      // Counts operations and never fails
      faults.fail(.inputOutput, at: .max)
      for _ in 0..<10 { try await context.persist { try $0.object(id).number += 1 } }
      operations[durability] = faults.operations
      faults.stop()
      await container.close()
    }
    let (without, with) = (try #require(operations[.processCrash]), try #require(operations[.powerLoss]))
    #expect(without > 0 && with >= without + 10)
  }

  @Test func `the cache of prepared statements is bounded`() async throws {
    let container = try await store.open(Wide.self) { $0.statementCacheCapacity = 8 }
    let id = try await container.newContext().persist { $0.insert(Wide.self).id }
    let context = container.newContext()
    // Every combination of attributes needs a separate statement.
    for round in 0..<40 {
      try await context.persist { objects in
        let it = try objects.object(id)
        if round & 1 != 0 { it.a0 += 1 }
        if round & 2 != 0 { it.a1 += 1 }
        if round & 4 != 0 { it.a2 += 1 }
        if round & 8 != 0 { it.a3 += 1 }
        it.a4 = round
      }
    }
    let found = try await context.perform { objects in
      #expect(objects.cachedStatements <= 8)
      let it = try objects.object(id)
      return [it.a0, it.a1, it.a2, it.a3, it.a4]
    }
    #expect(found == [20, 20, 20, 16, 39])
  }
}
