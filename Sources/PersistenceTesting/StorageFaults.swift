internal import CFaults
internal import Foundation
public import Persistence

/// A disk that fails on purpose, below the stores that a test opens on it.
///
/// ```swift
/// let faults = StorageFaults()
/// let container = try await PersistentContainer(at: .file(url), schema: schema) { faults.apply(to: &$0) }
/// faults.fail(.diskFull, at: 3)
/// await #expect(throws: PersistenceError.self) { try await container.newContext().persist { _ in … } }
/// faults.stop()
/// ```
///
/// It must outlive the containers that use it.
public final class StorageFaults: Sendable {
  /// How an operation fails.
  public enum Kind: Sendable, Hashable, CaseIterable {
    /// It has no effect.
    case inputOutput
    /// It has no effect, because the disk is full.
    case diskFull
    /// Half of a write is done.
    case tornWrite
  }

  private let name = "faults-\(UUID().uuidString)"
  private let handle: Handle?

  /// `@unchecked Sendable`: the structure behind it is made of atomics.
  private struct Handle: @unchecked Sendable {
    let pointer: OpaquePointer
  }

  /// A disk on which everything succeeds, until it is told to fail.
  public init() { handle = cfaults_create(name).map { Handle(pointer: $0) } }

  deinit { if let handle { cfaults_destroy(handle.pointer) } }

  /// Puts the stores of a container on this disk.
  public func apply(to configuration: inout StoreConfiguration) {
    if handle != nil { configuration.vfs = name }
  }

  /// Lets the `operation`-th write, sync or truncation from now fail; if `persistently`, all that follow it fail too.
  public func fail(_ kind: Kind, at operation: Int, persistently: Bool = false) {
    guard let handle else { return }
    let kind =
      switch kind {
      case .inputOutput: CFAULTS_IO
      case .diskFull: CFAULTS_FULL
      case .tornWrite: CFAULTS_TORN
      }
    cfaults_arm(handle.pointer, kind, persistently ? 1 : 0, Int64(operation))
  }

  /// Lets everything succeed again.
  public func stop() { if let handle { cfaults_disarm(handle.pointer) } }

  /// How many writes, syncs and truncations there were since ``fail(_:at:persistently:)``.
  public var operations: Int { handle.map { Int(cfaults_operations($0.pointer)) } ?? 0 }

  /// Whether one has failed since ``fail(_:at:persistently:)``.
  public var hasFired: Bool { handle.map { cfaults_fired($0.pointer) != 0 } ?? false }
}
