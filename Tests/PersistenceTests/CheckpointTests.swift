import Foundation
import PersistenceTesting
import TestSupport
import Testing

@testable import Persistence

/// The write-ahead log is taken over beside the commits.
@Suite struct CheckpointTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private func size(_ suffix: String = "") throws -> Int {
    try FileManager.default.attributesOfItem(atPath: store.file.path + suffix)[.size] as? Int ?? 0
  }

  // The plan

  private enum Answer: Equatable {
    case nothing
    case begin
    case wait
  }

  /// What the plan says after commits that have left a log of so many pages; 0 for the end of what was begun.
  private func answers(_ pages: [Int], keepingBelow size: Int = 16 << 20) -> [Answer] {
    var plan = CheckpointPlan(keepingBelow: size)
    var answers: [Answer] = []
    for pages in pages {
      if pages == 0 {
        plan.ended()
        continue
      }
      let begins = plan.committed(pages: pages)
      #expect(!begins || !plan.isBehind)
      answers.append(begins ? .begin : plan.isBehind ? .wait : .nothing)
    }
    return answers
  }

  @Test func `a log is taken over when it is long, and again when it has grown, one at a time`() {
    #expect(answers([999, 1000, 2500, 0, 2501]) == [.nothing, .begin, .nothing, .begin])
    #expect(answers([1000, 0, 1999, 2000, 0, 3000]) == [.begin, .nothing, .begin, .begin])
    // A writer that never pauses waits. Then the log begins anew.
    #expect(answers([1000, 3053, 3054, 0, 1, 1200, 3000]) == [.begin, .nothing, .wait, .nothing, .begin, .nothing])
  }

  @Test func `a log that does not begin anew, because somebody reads it, makes the writer wait time and again`() {
    #expect(answers([1000, 0, 3060, 3061, 3062, 7]) == [.begin, .wait, .wait, .wait, .nothing])
    #expect(answers([1200, 0, 1200, 0, 1200]) == [.begin, .begin, .begin])
  }

  @Test func `writers that have waited for one that has taken over everything need not do it again`() {
    var plan = CheckpointPlan(keepingBelow: 16 << 20)
    for pages in [1000, 3100] { _ = plan.committed(pages: pages) }
    #expect(plan.isBehind)
    plan.tookOverAll()
    #expect(!plan.isBehind)
    // Somebody reads it still.
    _ = plan.committed(pages: 3200)
    #expect(plan.isBehind)
    plan.tookOverAll()
    _ = plan.committed(pages: 50)
    #expect(!plan.isBehind)
  }

  @Test func `a single commit may be longer than the log is to be`() {
    #expect(answers([50_000, 52_053, 52_054, 3, 1000]) == [.begin, .nothing, .wait, .nothing, .nothing])
  }

  @Test func `where the log is to be short, the writer takes it over alone`() {
    #expect(answers([999, 1000, 1, 1001], keepingBelow: 64 << 10) == [.nothing, .wait, .nothing, .wait])
  }

  // The log

  @Test func `what was committed reaches the file while the container is open, and the log begins anew`() async throws {
    let container = try await store.open(Left.self)
    let checkpointer = try #require(container.store.checkpointer)
    let context = container.newContext()
    let id = try await context.persist { $0.insert(Left.self).id }
    for round in 0..<6 {
      try await context.persist { try $0.object(id).text = String(repeating: "\(round)", count: 5 << 20) }
      await checkpointer.settled()
      #expect(try size() > 5 << 20 && size("-wal") < 6 << 20, "round \(round)")
    }
    await container.close()
    let names = try FileManager.default.contentsOfDirectory(atPath: store.folder.path)
    #expect(names == ["store.db"])
  }

  @Test func `contexts that let go of the store leave no log, even after long ones`() async throws {
    let container = try await store.open(Left.self)
    let checkpointer = try #require(container.store.checkpointer)
    let context = container.newContext()
    try await context.persist { $0.insert(Left.self).text = String(repeating: "x", count: 6 << 20) }
    await checkpointer.settled()
    await context.reset()
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.folder.path) == ["store.db"])
    try await PersistentContainer.destroy(at: store.file)
  }

  @Test func `a writer that does not pause waits before the log is too long`() async throws {
    let container = try await store.open(Left.self)
    let context = container.newContext()
    let id = try await context.persist { $0.insert(Left.self).id }
    var largest = 0
    for round in 0..<240 {
      try await context.persist { try $0.object(id).text = String(repeating: "\(round % 10)", count: 200_000) }
      largest = max(largest, try size("-wal"))
    }
    #expect(largest < 16 << 20)
    #expect(try await container.integrityCheck().isIntact)
  }

  @Test(arguments: [4]) func `several writers that do not pause wait before the log is too long`(writers: Int)
    async throws
  {
    let container = try await store.open(Left.self)
    let largest = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<writers {
        let context = container.newContext()
        group.addTask {
          let id = try await context.persist { $0.insert(Left.self).id }
          var largest = 0
          for round in 0..<400 / writers {
            try await context.persist { try $0.object(id).text = String(repeating: "\(round % 10)", count: 200_000) }
            largest = max(largest, try size("-wal"))
          }
          return largest
        }
      }
      return try await group.reduce(0, max)
    }
    #expect(largest < 16 << 20)
    #expect(try await container.integrityCheck().isIntact)
  }

  @Test func `writers of several containers and processes wait before the log is too long`() async throws {
    let process = try ChildProcess.worker("grow", store.file.path, "150")
    let largest = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<3 {
        // SQLite is not fair to those who wait: under a sanitizer one may be passed by for seconds.
        let container = try await store.open(Left.self, Right.self, Counter.self) { $0.busyTimeout = .seconds(120) }
        group.addTask { [self] in
          let context = container.newContext()
          let id = try await context.persist { $0.insert(Left.self).id }
          var largest = 0
          for round in 0..<150 {
            try await context.persist { try $0.object(id).text = String(repeating: "\(round % 10)", count: 200_000) }
            largest = max(largest, try size("-wal"))
          }
          await container.close()
          return largest
        }
      }
      return try await group.reduce(0, max)
    }
    #expect(await process.exit() == .code(0))
    // Each has its own idea of when the log has begun to be long, and a guard that reads during another's checkpoint
    // keeps the log from beginning again. What is written is 120 MB.
    #expect(largest < 32 << 20)
    #expect(try await store.open(Left.self, Right.self, Counter.self).integrityCheck().isIntact)
    let names = try FileManager.default.contentsOfDirectory(atPath: store.folder.path)
    #expect(names == ["store.db"])
  }

  @Test func `compacting empties the log while another container writes to it`() async throws {
    let container = try await store.open(Left.self)
    let other = try await store.open(Left.self)
    let context = other.newContext()
    let task = Task {
      while !Task.isCancelled {
        try await context.persist { $0.insert(Left.self).text = String(repeating: "x", count: 10_000) }
      }
    }
    for _ in 0..<5 { try await container.compact() }
    task.cancel()
    _ = try? await task.value
    try await container.compact()
    #expect(try size("-wal") == 0)
    #expect(try await container.integrityCheck().isIntact)
    await other.close()
  }

  @Test(arguments: StorageFaults.Kind.allCases)
  func `a disk that fails while the log is taken over loses nothing`(_ kind: StorageFaults.Kind) async throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    print("failing checkpoints: seed \(seed)")
    var random = SeededGenerator(seed)
    for isPersistent in [false, true, false, true] {
      let folder = try TemporaryStore()
      let faults = StorageFaults()
      let container = try await folder.open(Left.self) { faults.apply(to: &$0) }
      let checkpointer = try #require(container.store.checkpointer)
      let context = container.newContext()
      // The commit is safe before the first fault: what fails is all that comes after it, or a part of it.
      try await context.persist { objects in
        for number in 0..<1_500 {
          let left = objects.insert(Left.self)
          (left.number, left.text) = (number, String(repeating: "x", count: 4_000))
        }
      }
      faults.fail(kind, at: Int.random(in: 1...1_000, using: &random), persistently: isPersistent)
      await checkpointer.settled()
      var expected: Set<Int64> = [2_500]
      do {
        try await context.persist { try $0.fetch(Left.self, where: \.number == 1_000).first?.number += 1_500 }
      } catch {
        if case .indeterminate = error { expected.insert(1_000) } else { expected = [1_000] }
      }
      faults.stop()
      let sum = try await container.newContext().perform { try $0.aggregate(.sum(\Left.number)) }
      #expect(expected.contains(sum - Int64((0..<1_500).reduce(0, +)) + 1_000))
      await container.close()
      let again = try await folder.open(Left.self)
      #expect(try await again.newContext().perform { try $0.aggregate(.sum(\Left.number)) } == sum)
      #expect(try await again.integrityCheck().isIntact)
    }
  }

  @Test func `a store whose file is gone is not made anew by what takes over its log`() async throws {
    let file = store.file
    let checkpointer = Checkpointer(StorePlace(.file(file)), StoreConfiguration())
    let other = try TemporaryStore()
    let connection = try Connection(StorePlace(.file(other.file)), StoreConfiguration())
    connection.tell(checkpointer)
    try connection.execute("CREATE TABLE t(x); INSERT INTO t VALUES(zeroblob(8000000))")
    await checkpointer.settled()
    #expect(!FileManager.default.fileExists(atPath: file.path))
    // The log keeps what it has.
    checkpointer.catchUp(by: connection)
    #expect(!FileManager.default.fileExists(atPath: file.path))
    let log = try FileManager.default.attributesOfItem(atPath: other.file.path + "-wal")[.size] as? Int ?? 0
    #expect(log > 8_000_000)
  }
}
