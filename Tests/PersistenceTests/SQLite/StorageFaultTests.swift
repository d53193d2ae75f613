import Foundation
import Persistence
import PersistenceTesting
import Testing

@Suite struct StorageFaultTests {
  let store: TemporaryStore
  /// With `LARDER_FAULTS=all`, every operation fails in turn, otherwise every seventh.
  static let step = ProcessInfo.processInfo.environment["LARDER_FAULTS"] == "all" ? 1 : 7

  init() throws { store = try TemporaryStore() }

  private func clear() {
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: store.file.path + suffix) }
  }

  private func counts(_ container: PersistentContainer) async throws -> [Int] {
    try await container.newContext().perform { objects in [try objects.count(Left.self), try objects.count(Right.self)]
    }
  }

  @Test(arguments: StorageFaults.Kind.allCases, [false, true])
  func `a store stays consistent and keeps confirmed commits after any disk error`(
    _ kind: StorageFaults.Kind, persistently: Bool
  ) async throws {
    var operation = 1
    var errors = 0
    while true {
      clear()
      let faults = StorageFaults()
      faults.fail(kind, at: operation, persistently: persistently)
      // When a disk fails in the midst of some transactions
      var committed = 0
      var isIndeterminate = false
      do {
        let container = try await store.open(Left.self, Right.self) { configuration in
          faults.apply(to: &configuration)
          configuration.durability = .powerLoss
          configuration.logSizeLimit = 0
        }
        let context = container.newContext()
        for number in 0..<6 {
          try await context.persist { objects in
            let left = objects.insert(Left.self)
            left.number = number
            left.text = String(repeating: "x", count: 20_000)
            objects.insert(Right.self).number = number
          }
          committed += 1
        }
      } catch {
        errors += 1
        if case .indeterminate = error as? PersistenceError { isIndeterminate = true }
      }
      let fired = faults.hasFired
      faults.stop()
      // Then the store opens, and both tables have all commits; one more only if its outcome was indeterminate
      let found = try await counts(store.open(Left.self, Right.self))
      #expect(found[0] == found[1], "at \(operation)")
      let allowed = isIndeterminate ? committed...committed + 1 : committed...committed
      #expect(allowed.contains(found[0]), "at \(operation): \(found[0]) after \(committed)")
      if !fired { break }
      operation += Self.step
    }
    #expect(errors > 0 && operation > 20)
  }

  /// Each step is one transaction of bulk work; the store's contents show how many were committed.
  private static let bulk: [@Sendable (ObjectSpace) throws -> Void] = [
    { objects in
      let fields: [ImportField<Right, Int>] = [.set(\.number) { $0 }]
      _ = try objects.import(0..<300, into: Right.self, matching: \.number, fields)
      for number in 0..<20 { objects.insert(Left.self).number = number }
    },
    { objects in
      let text = String(repeating: "x", count: 3_000)
      _ = try objects.update(Left.self, where: { $0.number >= 10 }, set: [.set(\.text, to: text)])
      _ = try objects.delete(Right.self, where: { $0.number.isIn((0..<100).map { $0 }) })
    },
    { objects in
      let fields: [ImportField<Right, Int>] = [.set(\.number) { $0 }]
      _ = try objects.import(250..<500, into: Right.self, matching: \.number, fields)
      _ = try objects.delete(Left.self, where: { $0.number < 10 })
    },
  ]
  private static let bulkStates = [[0, 0, 0], [20, 0, 300], [20, 10, 200], [10, 10, 400]]

  @Test(arguments: StorageFaults.Kind.allCases, [false, true])
  func `bulk work is done completely or not at all after any disk error`(
    _ kind: StorageFaults.Kind, persistently: Bool
  ) async throws {
    var operation = 1
    var errors = 0
    while true {
      clear()
      let faults = StorageFaults()
      var committed = 0
      var isIndeterminate = false
      do {
        let container = try await store.open(Left.self, Right.self) { configuration in
          faults.apply(to: &configuration)
          configuration.durability = .powerLoss
          configuration.logSizeLimit = 0
          configuration.history = .kept()
        }
        // Some of the rows are in memory.
        let context = container.newContext()
        let held = HeldLefts()
        faults.fail(kind, at: operation, persistently: persistently)
        for step in Self.bulk {
          try await context.persist { objects in
            held.lefts = try objects.fetch(Left.self, where: { $0.number < 12 })
            try step(objects)
          }
          committed += 1
        }
        try await context.perform { _ in held.lefts = [] }
      } catch {
        errors += 1
        if case .indeterminate = error as? PersistenceError { isIndeterminate = true }
      }
      let fired = faults.hasFired
      faults.stop()
      let container = try await store.open(Left.self, Right.self)
      let found = try await container.newContext().perform { objects in
        [
          try objects.count(Left.self), try objects.count(Left.self, where: { !($0.text == "") }),
          try objects.count(Right.self),
        ]
      }
      let allowed = Self.bulkStates[committed...min(committed + (isIndeterminate ? 1 : 0), 3)]
      #expect(allowed.contains(found), "at \(operation): \(found) after \(committed)")
      if !fired { break }
      operation += Self.step
    }
    #expect(errors > 0 && operation > 20)
  }

  @Test(arguments: StorageFaults.Kind.allCases, [false, true])
  func `a store that cannot be created leaves no files behind`(
    _ kind: StorageFaults.Kind, persistently: Bool
  ) async throws {
    var operation = 1
    while true {
      let faults = StorageFaults()
      faults.fail(kind, at: operation, persistently: persistently)
      do {
        let container = try await store.open(Left.self, Right.self) { faults.apply(to: &$0) }
        await container.close()
      } catch {
        #expect(faults.hasFired)
        let found = try FileManager.default.contentsOfDirectory(atPath: store.folder.path)
        faults.stop()
        // A permanent error keeps SQLite from emptying the file again; then the file must open.
        let left = persistently ? ["", "-journal", "-wal", "-shm"].map { "store.db" + $0 } : []
        #expect(Set(left).isSuperset(of: found), "at \(operation): \(found), after \(error)")
        #expect(try await counts(store.open(Left.self, Right.self)) == [0, 0])
      }
      let fired = faults.hasFired
      faults.stop()
      clear()
      if !fired { break }
      operation += 1
    }
    #expect(operation > 3)
  }

  @Test func `after a failed save the context continues with its objects unchanged`() async throws {
    let faults = StorageFaults()
    let container = try await store.open(Movie.self, FamilyMember.self) { configuration in
      faults.apply(to: &configuration)
      configuration.durability = .powerLoss
    }
    let context = container.newContext()
    let id = try await context.persist { objects in
      let movie = objects.insert(Movie.self)
      movie.title = "Fargo"
      return movie.id
    }
    for kind in StorageFaults.Kind.allCases {
      let holder = Holder()
      try await context.perform { holder.movies = [try $0.object(id)] }
      faults.fail(kind, at: 1)
      await #expect(throws: PersistenceError.self) {
        try await context.persist { objects in
          try objects.object(id).title = "lost"
          _ = objects.insert(Movie.self)
        }
      }
      #expect(faults.hasFired)
      faults.stop()
      try await context.perform { objects in
        #expect(holder.movies[0].title == "Fargo" && !objects.hasChanges)
        let count = try objects.count(Movie.self)
        #expect(count == 1)
        holder.movies = []
      }
      try await context.persist { try $0.object(id).popularity = 1 }
    }
  }

  @Test func `a query budget error names the relationship that was fetched one by one`() async throws {
    let container = try await store.open(Film.self, Director.self)
    let context = container.newContext()
    try await context.persist { objects in
      for _ in 0..<100 { objects.insert(Director.self).films.insert(objects.insert(Film.self)) }
    }
    try await context.perform { objects in
      try objects.expectQueries(atMost: 8) {
        for director in try objects.fetch(Director.self) { _ = director.films.map(\.title) }
      }
      do {
        try objects.expectQueries(atMost: 10) {
          for film in try objects.fetch(Film.self) { _ = film.director?.films.count }
          for director in try objects.fetch(Director.self) { _ = director.films.contains { $0.year == 1 } }
          for id in 1...20 { _ = try objects.existingObject(ObjectID<Film>(rawValue: Int64(10_000 + id))) }
        }
        Issue.record("20 queries were not noticed")
      } catch let error as QueryBudgetError {
        #expect(error.limit == 10 && error.count >= 20)
        #expect(error.relationships["Director.films"] ?? 0 >= 1)
      }
      // Relationships that were fetched earlier or prefetched are not listed
      do {
        try objects.expectQueries(atMost: 0) {
          _ = try objects.fetch(FetchDescriptor(Director.self).prefetching(\.films))
          _ = try objects.fetch(Film.self)
        }
        Issue.record("two queries were not noticed")
      } catch let error as QueryBudgetError {
        #expect(error.relationships.isEmpty, "\(error)")
      }
    }
  }
}

/// `@unchecked Sendable`: used on one context's queue.
private final class HeldLefts: @unchecked Sendable {
  var lefts: [Left] = []
}
