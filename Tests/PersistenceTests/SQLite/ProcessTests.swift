import Foundation
import LarderTestSupport
import Persistence
import Testing

final class Left: ManagedObject {
  @Attribute var number = 0
  @Attribute var text = ""
}

final class Right: ManagedObject {
  @Attribute(.unique) var number: Int?
}

final class Counter: ManagedObject {
  @Attribute var value = 0
}

@Suite struct ProcessTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private func open() async throws -> PersistentContainer { try await store.open(Left.self, Right.self, Counter.self) }

  /// `LARDER_KILLS=200` runs the long form of the loop.
  private static let kills = ProcessInfo.processInfo.environment["LARDER_KILLS"].flatMap { Int($0) } ?? 10

  @Test func `a process that is killed loses no confirmed commit and leaves no partial one`() async throws {
    var random = SystemRandomNumberGenerator()
    var told = -1
    for _ in 0..<Self.kills {
      let worker = try ChildProcess.worker("write", store.file.path)
      var left = Int.random(in: 1...40, using: &random)
      for await line in worker.lines {
        told = try #require(Int(line))
        left -= 1
        if left == 0 { worker.signal(SIGKILL) }
      }
      #expect(await worker.exit() == .signal(SIGKILL))
      let (lefts, rights) = try await open().newContext().perform { objects in
        (try objects.fetch(Left.self).map(\.number), try objects.fetch(Right.self).map(\.number))
      }
      #expect(lefts == Array(0..<lefts.count) && rights == lefts.map { $0 })
      #expect(lefts.count > told && lefts.count <= told + 2)
    }
  }

  @Test func `a process that is killed during bulk work leaves no partial commit`() async throws {
    var random = SystemRandomNumberGenerator()
    var told = -1
    for _ in 0..<Self.kills {
      let worker = try ChildProcess.worker("bulk", store.file.path)
      var left = Int.random(in: 1...12, using: &random)
      for await line in worker.lines {
        told = try #require(Int(line))
        left -= 1
        if left == 0 { worker.signal(SIGKILL) }
      }
      #expect(await worker.exit() == .signal(SIGKILL))
      let (rights, lefts) = try await open().newContext().perform { objects in
        (
          try objects.fetch(Right.self, sort: [.ascending(\.number)]).compactMap(\.number),
          try objects.fetch(Left.self).map(\.number)
        )
      }
      // The state after the worker's commit of that number
      let number = try #require(lefts.first)
      #expect((told...told + 1).contains(number) && lefts == Array(repeating: number, count: 20))
      #expect(rights == Array(max(0, number * 50 - 100)..<number * 50 + 50))
    }
  }

  @Test func `processes that write to one store at the same time wait for each other`() async throws {
    // The store is new, so the processes also create it at the same time.
    let workers = try (0..<3).map { _ in try ChildProcess.worker("count", store.file.path, "60") }
    let context = try await open().newContext()
    for _ in 0..<60 {
      try await context.persist { objects in
        let counter = try objects.fetch(Counter.self).first ?? objects.insert(Counter.self)
        counter.value += 1
        objects.insert(Left.self).number = counter.value
      }
    }
    for worker in workers { #expect(await worker.exit() == .code(0)) }
    let (value, numbers) = try await context.perform { objects in
      (
        try objects.fetch(Counter.self).map(\.value),
        try objects.fetch(Left.self, sort: [.ascending(\.number)]).map(\.number)
      )
    }
    #expect(value == [240])
    #expect(numbers == Array(1...240))
  }

  @Test func `a process that runs out of memory leaves a consistent store with all its commits`() async throws {
    let worker = try ChildProcess.worker("memory", store.file.path)
    var last = ""
    for await line in worker.lines { last = line }
    #expect(await worker.exit() == .code(0), "\(last)")
    #expect(last.contains("allocations"))
  }
}
