import Foundation
import Testing

@testable import Persistence

private final class Tally: ManagedObject {
  @Attribute var count = 0
  @Attribute var small: Int8 = 0
  @Attribute var share = 0.0
  @Attribute var single: Float = 0
  @Attribute var price: Decimal = 0
  @Attribute var name = ""
}

@Suite struct IncrementTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private func container() async throws -> (PersistentContainer, ObjectID<Tally>) {
    let container = try await store.open(Tally.self)
    let id = try await container.newContext().persist { objects in
      let tally = objects.insert(Tally.self)
      (tally.count, tally.share, tally.price) = (1, 0.5, 1.5)
      return tally.id
    }
    return (container, id)
  }

  /// Runs `mine` and `theirs` in two contexts that have both read the object, and saves theirs first.
  private func both(
    _ policy: MergePolicy = .report, mine: @escaping @Sendable (ObjectSpace, Tally) throws -> Void,
    theirs: @escaping @Sendable (ObjectSpace, Tally) throws -> Void
  ) async throws -> (mine: Int, stored: Int) {
    let (container, id) = try await container()
    let context = container.newContext(merging: policy)
    try await context.perform { try mine($0, $0.object(id)) }
    try await container.newContext().persist { try theirs($0, $0.object(id)) }
    let count = try await context.persist { objects in
      let tally = try objects.object(id)
      _ = try objects.fetch(Tally.self)
      return tally.count
    }
    return (count, try await container.newContext().perform { try $0.object(id).count })
  }

  @Test(arguments: [MergePolicy.report, .mine, .theirs, .report.resolvingEqualValues])
  func `increments in two contexts add up under every merge policy`(_ policy: MergePolicy) async throws {
    let found = try await both(policy) { objects, tally in
      try objects.increment(tally, \.count)
      try objects.increment(tally, \.count, by: 4)
      #expect(tally.count == 6)
    } theirs: { objects, tally in
      try objects.increment(tally, \.count, by: 5)
    }
    #expect(found.mine == 11 && found.stored == 11)
  }

  @Test func `an increment is added to the value that another context has assigned`() async throws {
    let found = try await both { objects, tally in
      try objects.increment(tally, \.count, by: -3)
      tally.name = "mine"
    } theirs: { _, tally in
      tally.count = 100
    }
    #expect(found.mine == 97 && found.stored == 97)
  }

  @Test(arguments: [false, true])
  func `an increment and an assignment in the same closure count as an assignment`(isAfter: Bool) async throws {
    await #expect {
      _ = try await both { objects, tally in
        if !isAfter { tally.count = 7 }
        try objects.increment(tally, \.count)
        if isAfter { tally.count = 7 }
      } theirs: { _, tally in
        tally.count = 100
      }
    } throws: { error in
      guard case .conflict(let conflict) = error as? PersistenceError else { return false }
      return conflict.attributes.map(\.attribute) == ["count"] && conflict.attributes.map(\.theirs) == [.integer(100)]
    }
  }

  @Test func `equal assigned values are no conflict, unless the merge policy resolves equal values`() async throws {
    let count: @Sendable (ObjectSpace, Tally) throws -> Void = { _, tally in tally.count += 1 }
    let merged = try await both(mine: count, theirs: count)
    #expect(merged.stored == 2)
    await #expect(throws: PersistenceError.self) {
      _ = try await both(.report.resolvingEqualValues, mine: count, theirs: count)
    }
  }

  @MainActor @Test func `a rollback reverts some or all pending increments, also after a merge`() async throws {
    let (container, id) = try await container()
    let view = container.viewContext
    let tally = try view.object(id)
    try view.objects.increment(tally, \.count, by: 1)
    #expect(throws: PersistenceError.self) {
      try view.persist { objects in
        try objects.increment(tally, \.count, by: 10)
        throw Stop()
      }
    }
    #expect(tally.count == 2 && view.hasChanges)
    try await container.newContext().persist { try $0.object(id).count = 100 }
    await container.settle()
    // A second closure that fails after the first increment was merged
    #expect(throws: PersistenceError.self) {
      try view.persist { objects in
        try objects.increment(tally, \.count, by: 10)
        _ = try objects.fetch(Tally.self)
        #expect(tally.count == 111)
        throw Stop()
      }
    }
    #expect(tally.count == 101)
    view.rollback()
    #expect(tally.count == 100 && !view.hasChanges)
    for _ in 0..<1000 { try view.objects.increment(tally, \.count, by: 1) }
    try view.save()
    #expect(try await container.newContext().perform { try $0.object(id).count } == 1100)
  }

  @MainActor @Test func `an assignment after pending increments counts as an assignment`() async throws {
    let (container, id) = try await container()
    let view = container.viewContext
    let tally = try view.object(id)
    try view.objects.increment(tally, \.count, by: 1)
    try await container.newContext().persist { try $0.object(id).count = 100 }
    #expect {
      try view.persist { objects in
        try objects.increment(tally, \.count, by: 10)
        tally.count = 7
      }
    } throws: { error in
      guard case .conflict(let conflict) = error as? PersistenceError else { return false }
      return conflict.attributes.map(\.mine) == [.integer(7)]
    }
    // The increment that was pending before is still an increment.
    #expect(tally.count == 2)
    try view.save()
    #expect(tally.count == 101)
  }

  @Test(arguments: [false, true])
  func `increments between changes of other attributes are all counted`(isSplit: Bool) async throws {
    let found = try await both { objects, tally in
      try objects.increment(tally, \.count)
      tally.name = "a"
      if isSplit { _ = try objects.fetch(Tally.self) }
      try objects.increment(tally, \.count)
      try objects.increment(tally, \.count)
      try objects.increment(tally, \.share, by: 1)
      try objects.increment(tally, \.count)
    } theirs: { _, tally in
      tally.count = 100
    }
    #expect(found.mine == 104 && found.stored == 104)
  }

  @Test func `an assignment among increments and other changes conflicts with another assignment`() async throws {
    await #expect(throws: PersistenceError.self) {
      _ = try await both { objects, tally in
        try objects.increment(tally, \.count)
        tally.name = "a"
        try objects.increment(tally, \.count)
        tally.count = 50
      } theirs: { _, tally in
        tally.count = 100
      }
    }
  }

  @Test func `increments in several closures without a save are all counted`() async throws {
    let (container, id) = try await container()
    let context = container.newContext()
    for _ in 0..<3 {
      try await context.perform { objects in
        let tally = try objects.object(id)
        for _ in 0..<2 { try objects.increment(tally, \.count) }
      }
    }
    try await container.newContext().persist { try $0.object(id).count = 100 }
    try await context.persist { objects in
      let tally = try objects.object(id)
      for _ in 0..<2 { try objects.increment(tally, \.count) }
    }
    #expect(try await container.newContext().perform { try $0.object(id).count } == 108)
  }

  @Test func `a bulk update sets each attribute once, and keeps Float precision`() async throws {
    let (container, _) = try await container()
    await #expect(throws: PersistenceError.self) {
      try await container.newContext().persist { objects in
        _ = try objects.update(Tally.self, set: [.increment(\.count, by: 1), .increment(\.count, by: 1)])
      }
    }
    try await container.newContext().persist { objects in
      _ = try objects.update(Tally.self, set: [.increment(\.single, by: 0.1)])
      _ = try objects.update(Tally.self, set: [.increment(\.single, by: 0.2)])
    }
    #expect(
      try await container.newContext().perform { try $0.count(Tally.self, where: { $0.single == Float(0.1) + 0.2 }) }
        == 1)
  }

  @Test func `every number type can be incremented, in objects and in bulk`() async throws {
    let (container, id) = try await container()
    try await container.newContext().persist { objects in
      let tally = try objects.object(id)
      try objects.increment(tally, \.small, by: -128)
      try objects.increment(tally, \.share, by: 0.25)
      try objects.increment(tally, \.price, by: 0.01)
    }
    try await container.newContext().persist { objects in
      _ = try objects.update(
        Tally.self,
        set: [
          .increment(\.count, by: -2), .increment(\.small, by: 127), .increment(\.share, by: 0.25),
          .increment(\.price, by: 0.01), .set(\.name, to: "bulk"),
        ])
    }
    try await container.newContext().perform { objects in
      let tally = try objects.object(id)
      #expect(tally.count == -1 && tally.small == -1 && tally.share == 1 && tally.price == 1.52 && tally.name == "bulk")
    }
  }

  @Test func `a bulk increment changes objects in memory and merges with other contexts`() async throws {
    let (container, id) = try await container()
    let context = container.newContext()
    try await context.perform { objects in try objects.increment(try objects.object(id), \.count) }
    try await container.newContext().persist { objects in
      _ = try objects.update(Tally.self, set: [.increment(\.count, by: 10)])
    }
    let count = try await context.persist { objects in
      let tally = try objects.object(id)
      try objects.update(Tally.self, set: [.increment(\.count, by: 100)])
      return tally.count
    }
    #expect(count == 112)
  }

  @Test func `an increment that overflows fails, in objects and in bulk, and changes nothing`() async throws {
    let (container, id) = try await container()
    let overflows: [@Sendable (ObjectSpace) throws -> Void] = [
      { try $0.increment($0.object(id), \.count, by: .max) },
      {
        try $0.increment($0.object(id), \.small, by: 127); try $0.increment($0.object(id), \.small, by: 1)
      },
      { try $0.update(Tally.self, set: [.increment(\.count, by: .max)]) },
      {
        try $0.update(Tally.self, set: [.set(\.small, to: 100)]);
        try $0.update(Tally.self, set: [.increment(\.small, by: 28)])
      },
    ]
    for overflow in overflows {
      await #expect {
        try await container.newContext().persist { try overflow($0) }
      } throws: { error in
        guard let error = error as? PersistenceError else { return false }
        if case .invalidValue(let value) = error { return value.reason == InvalidValue.overflow }
        if case .body(let cause) = error, case .invalidValue = cause as? PersistenceError { return true }
        return false
      }
    }
    #expect(try await container.newContext().perform { try $0.object(id).count } == 1)
  }

  @Test func `a merge visits each pending change once, however many objects there are`() async throws {
    let container = try await store.open(Tally.self)
    let count = 500
    let ids = try await container.newContext().persist { objects in
      (0..<count).map { _ in objects.insert(Tally.self).id }
    }
    let context = container.newContext()
    try await context.perform { objects in
      for tally in try objects.fetch(Tally.self) {
        tally.name = "mine"
        try objects.increment(tally, \.count, by: 2)
      }
    }
    try await container.newContext().persist { objects in
      for tally in try objects.fetch(Tally.self) { try objects.increment(tally, \.count, by: 3) }
    }
    try await context.persist { objects in
      #expect(try objects.fetch(Tally.self).map(\.count) == Array(repeating: 5, count: count))
      let changes = try objects.registry(of: Tally.self).changes
      #expect(changes.overwrites.count == 2 * count && changes.increments.count == count)
      #expect(changes.overwriteIndex.steps <= 2 * count && changes.incrementIndex.steps <= count)
      #expect(changes.updateIndex.steps <= changes.updates.count)
    }
    let stored = try await container.newContext().perform { objects in
      try ids.map { try objects.object($0).count }
    }
    #expect(stored == Array(repeating: 5, count: count))
  }
}
