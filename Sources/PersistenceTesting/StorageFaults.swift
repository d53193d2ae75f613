internal import CLarderFaults
internal import Foundation
public import Persistence

/// A simulated disk that injects failures into the stores that a test opens on it.
///
/// ```swift
/// let faults = StorageFaults()
/// let container = try await PersistentContainer(
///   at: .file(url), schema: schema
/// ) {
///   faults.apply(to: &$0)
/// }
/// faults.fail(.diskFull, at: 3)
/// await #expect(throws: PersistenceError.self) {
///   try await container.newContext().persist { _ in … }
/// }
/// faults.stop()
/// ```
///
/// A container retains the simulated disk that it uses, so the disk exists for at least as long as the container.
public final class StorageFaults: Sendable {
  /// How an operation on the simulated disk fails.
  public enum Kind: Sendable, Hashable, CaseIterable {
    /// The operation fails with an input/output error and has no effect.
    case inputOutput
    /// The operation fails because the disk is full, and has no effect.
    case diskFull
    /// A write fails after the first half of its data has been stored. A sync or a truncation fails and has no effect.
    case tornWrite
  }

  private let name = "faults-\(UUID().uuidString)"
  private let handle: Handle?

  /// `@unchecked Sendable`: the underlying structure consists of atomics.
  private struct Handle: @unchecked Sendable {
    let pointer: OpaquePointer
  }

  /// Creates a simulated disk on which every operation succeeds until you inject a failure.
  public init() { handle = cfaults_create(name).map { Handle(pointer: $0) } }

  deinit { if let handle { cfaults_destroy(handle.pointer) } }

  /// Changes the configuration so that containers opened with it keep their stores on the simulated disk.
  public func apply(to configuration: inout StoreConfiguration) {
    if handle != nil { configuration.vfs = StoreConfiguration.VFS(name: name, owner: self) }
  }

  /// Makes a later write, sync or truncation fail. `operation` is the number of the operation that fails, where 1 is
  /// the next write, sync or truncation. If `persistently` is true, all later operations fail as well.
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

  /// Stops injecting failures.
  public func stop() { if let handle { cfaults_disarm(handle.pointer) } }

  /// The number of writes, syncs and truncations since ``fail(_:at:persistently:)`` was called. Operations after a call
  /// to ``stop()`` are not counted.
  public var operations: Int { handle.map { Int(cfaults_operations($0.pointer)) } ?? 0 }

  /// Whether an operation has failed since ``fail(_:at:persistently:)`` was called.
  public var hasFired: Bool { handle.map { cfaults_fired($0.pointer) != 0 } ?? false }
}
