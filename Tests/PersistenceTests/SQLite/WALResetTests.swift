import CLarderFaults
import Foundation
import PersistenceTesting
import Testing

@testable import Persistence

/// The SQLite race that ``CheckpointGuard`` prevents, in two containers that act like two processes.
@Suite struct WALResetTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  @Test(arguments: [
    (3_006_999, false), (3_007_000, true), (3_040_001, true), (3_044_005, true), (3_044_006, false), (3_045_000, true),
    (3_050_006, true), (3_050_007, false), (3_051_000, true), (3_051_002, true), (3_051_003, false), (3_053_000, false),
  ])
  func `checkpoints are guarded in SQLite versions that have the WAL-reset race`(version: Int32, isRaced: Bool) {
    #expect(CheckpointGuard.isNeeded(by: version) == isRaced)
  }

  @Test(arguments: [true, false])
  func `a commit between two reads of a guarded checkpoint loses no commits`(
    isGuarded: Bool
  ) async throws {
    let isRaced = CheckpointGuard.isNeeded
    if !isRaced { print("This SQLite does not have the WAL-reset race") }
    let race = try await Race(store, isGuarded: isGuarded)
    let acknowledged = try await race.run()
    let found = try? await store.open(Left.self).newContext().perform { try $0.fetch(Left.self).map(\.number) }
    let isIntact = try? await store.open(Left.self).integrityCheck().isIntact
    let isWhole = found.map(Set.init) == acknowledged && isIntact == true
    // Without the guard, commits must be lost; otherwise this test would show nothing.
    #expect(isWhole == (isGuarded || !isRaced), "\(found?.count ?? -1) of \(acknowledged.count)")
  }
}

/// The order of events: one container's checkpoint is about to begin; the other commits, and checkpoints the whole log;
/// the first checkpoint reads the length of the log; the other commits again; the first checkpoint continues.
private final class Race: Sendable {
  private let first: PersistentContainer
  private let second: PersistentContainer
  private let writer: ObjectContext
  private let disk: ObservedDisk
  private let numbers = Lock<Set<Int>>([])

  init(_ store: TemporaryStore, isGuarded: Bool) async throws {
    let disk = try ObservedDisk()
    self.disk = disk
    first = try await store.open(Left.self) { configuration in
      disk.apply(to: &configuration)
      configuration.guardsCheckpoints = isGuarded
    }
    second = try await store.open(Left.self) { $0.guardsCheckpoints = isGuarded }
    writer = second.newContext()
  }

  /// The acknowledged numbers.
  func run() async throws -> Set<Int> {
    let checkpointer = try #require(first.store.access.checkpointer)
    let other = try #require(second.store.access.checkpointer)
    for number in 0..<200 { try await insert(number) }
    let meetings = Lock<[Int32]>([])
    disk.observe { [unowned self] point, at, flags in
      let isCheckpoint = point == CFAULTS_SHM_LOCK && at == IndexLock.checkpointer && flags & IndexLock.lock != 0
      guard isCheckpoint && meetings.withLock({ $0.isEmpty }) || point == CFAULTS_HEADER_READ else { return false }
      meetings.withLock { $0.append(Int32(point.rawValue)) }
      commit(1_000 + meetings.withLock { $0.count })
      if isCheckpoint { _ = other.takeOver() }
      return false
    }
    _ = try await offThread { checkpointer.takeOver() }
    #expect(meetings.withLock { $0 } == [CFAULTS_SHM_LOCK, CFAULTS_HEADER_READ].map { Int32($0.rawValue) })
    for number in 2_000..<2_400 { try await insert(number) }
    await first.close()
    await second.close()
    return numbers.withLock { $0 }
  }

  private func insert(_ number: Int) async throws {
    try await writer.persist { Self.insert(number, $0) }
    numbers.withLock { _ = $0.insert(number) }
  }

  private func commit(_ number: Int) {
    let done = DispatchSemaphore(value: 0)
    writer.persist { objects in
      Self.insert(number, objects)
    } callback: { result in
      if case .success = result { self.numbers.withLock { _ = $0.insert(number) } }
      done.signal()
    }
    done.wait()
  }

  private static func insert(_ number: Int, _ objects: ObjectSpace) {
    let left = objects.insert(Left.self)
    (left.number, left.text) = (number, String(repeating: "x", count: 600))
  }
}
