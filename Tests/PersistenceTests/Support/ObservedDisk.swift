import CLarderFaults
import Foundation

@testable import Persistence

/// A disk that reports the points where the work of two connections can interleave.
///
/// `@unchecked Sendable`: the observer is set while no connection is in use, and is called on the thread of each
/// connection.
final class ObservedDisk: @unchecked Sendable {
  /// True if the observer has handled the synchronisation or the sleep.
  typealias Observer = (_ point: cfaults_point, _ at: Int, _ flags: Int) -> Bool

  private let name = "observed-\(UUID().uuidString)"
  private let handle: OpaquePointer
  private var observer: Observer?

  init() throws {
    guard let handle = cfaults_create(name) else { throw Stop() }
    self.handle = handle
  }

  deinit { cfaults_destroy(handle) }

  func apply(to configuration: inout StoreConfiguration) {
    configuration.vfs = StoreConfiguration.VFS(name: name, owner: self)
  }

  func observe(_ observer: @escaping Observer) {
    self.observer = observer
    cfaults_observe(
      handle,
      { context, point, at, flags in
        guard let context else { return 0 }
        // The disk outlives the connections on it.
        let disk = Unmanaged<ObservedDisk>.fromOpaque(context).takeUnretainedValue()
        return disk.observer?(point, Int(at), Int(flags)) == true ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}

/// The slots and flags of locks in the index of a write-ahead log, as SQLite's `wal.c` has them.
enum IndexLock {
  static let writer = 0
  static let checkpointer = 1
  static let unlock = 1
  static let lock = 2
  static let exclusive = 8
}
