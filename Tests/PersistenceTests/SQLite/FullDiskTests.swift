import Foundation
import PersistenceTesting
import Testing

@testable import Persistence

/// Commits on a disk that is full or fails, at each of their writes.
@Suite struct FullDiskTests {
  let store: TemporaryStore
  let faults = StorageFaults()

  init() throws { store = try TemporaryStore() }

  private func open(_ durability: Durability = .processCrash) async throws -> PersistentContainer {
    try await store.open(Left.self) { [faults] configuration in
      faults.apply(to: &configuration)
      configuration.durability = durability
    }
  }

  private static func isFull(_ error: any Error) -> Bool {
    if case .full = error as? PersistenceError { true } else { false }
  }

  private static func fill(_ left: Left, _ number: Int) {
    (left.number, left.text) = (number, String(repeating: "\(number % 10)", count: 20_000))
  }

  @Test(arguments: [false, true])
  func `a commit on a full disk is rolled back and succeeds once there is space`(persistently: Bool) async throws {
    let context = try await open().newContext()
    let id = try await context.persist { $0.insert(Left.self).id }
    var operation = 1
    while true {
      let number = operation
      let body: @Sendable (ObjectSpace) throws -> Void = { objects in
        try objects.object(id).number = number
        Self.fill(objects.insert(Left.self), number)
      }
      faults.fail(.diskFull, at: operation, persistently: persistently)
      do { try await context.persist(body) } catch { #expect(Self.isFull(error), "at \(operation): \(error)") }
      let fired = faults.hasFired
      faults.stop()
      if !fired { break }
      #expect(try await context.perform { try $0.object(id).number } == operation - 1)
      #expect(try await context.perform { try $0.count(Left.self) } == operation)
      try await context.persist(body)
      operation += 1
    }
    #expect(operation > 6)
    let numbers = try await open().newContext().perform { try $0.fetch(Left.self).map(\.number).sorted() }
    #expect(numbers == (1...operation).map { $0 } + [operation])
  }

  @Test(arguments: [false, true])
  @MainActor func `changes in the view context stay pending when the disk is full`(persistently: Bool) async throws {
    let container = try await open()
    let view = container.viewContext
    let changed = view.insert(Left.self)
    try view.save()
    var operation = 1
    while true {
      changed.number = operation
      Self.fill(view.insert(Left.self), operation)
      faults.fail(.diskFull, at: operation, persistently: persistently)
      var failure: PersistenceError?
      do { try view.save() } catch { failure = error }
      let fired = faults.hasFired
      faults.stop()
      if !fired { break }
      #expect(failure.map(Self.isFull) == true, "at \(operation): \(String(describing: failure))")
      #expect(view.hasChanges && changed.number == operation)
      try view.save()
      #expect(!view.hasChanges)
      operation += 1
    }
    #expect(operation > 6)
    let numbers = try await container.newContext().perform { try $0.fetch(Left.self).map(\.number).sorted() }
    #expect(numbers == (1...operation).map { $0 } + [operation])
  }

  @Test(arguments: StorageFaults.Kind.allCases, [Durability.processCrash, .powerLoss])
  func `the outcome of a failed commit matches what is found after a crash`(
    _ kind: StorageFaults.Kind, _ durability: Durability
  ) async throws {
    let context = try await open(durability).newContext()
    try await context.persist { Self.fill($0.insert(Left.self), 0) }
    var (operation, cameBack) = (1, 0)
    while true {
      let number = operation
      faults.fail(kind, at: operation)
      var outcome: PersistenceError.Outcome?
      do { try await context.persist { Self.fill($0.insert(Left.self), number) } } catch { outcome = error.outcome }
      let fired = faults.hasFired
      faults.stop()
      // As after a crash: the index in memory is gone, and SQLite recovers the log.
      let copy = try TemporaryStore()
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(atPath: store.file.path + suffix, toPath: copy.file.path + suffix)
      }
      let found = try await copy.open(Left.self).newContext().perform { try $0.fetch(Left.self).map(\.number) }
      let isThere = found.contains(number)
      switch outcome {
      case nil: #expect(isThere)
      case .rolledBack: #expect(!isThere, "at \(operation)")
      case .indeterminate:
        // Here only the synchronisation failed.
        #expect(isThere, "at \(operation)")
        cameBack += 1
      }
      if !fired { break }
      operation += 1
    }
    #expect(operation > 6 && (cameBack > 0) == (durability == .powerLoss))
  }

  @Test func `a failed commit does not reappear after the commits that follow it`() async throws {
    let container = try await open(.powerLoss)
    let (context, other) = (container.newContext(), container.newContext())
    try await context.persist { Self.fill($0.insert(Left.self), 0) }
    // Only the synchronisation fails: the commit is in the log. Another one takes its place.
    var operation = 1
    var wasIndeterminate = false
    while !wasIndeterminate {
      faults.fail(.inputOutput, at: operation)
      do { try await context.persist { Self.fill($0.insert(Left.self), 1) } } catch {
        wasIndeterminate = error.outcome == .indeterminate
      }
      guard faults.hasFired else { break }
      faults.stop()
      operation += 1
    }
    #expect(wasIndeterminate)
    try await other.persist { Self.fill($0.insert(Left.self), 2) }
    #expect(try await context.perform { try $0.fetch(Left.self).map(\.number) } == [0, 2])
    await container.close()
    #expect(try await open().newContext().perform { try $0.fetch(Left.self).map(\.number) } == [0, 2])
  }
}
