internal import Foundation

/// Lets one process at a time drive a store. The lock is of the open file, so that it ends with the process.
final class DriverLock: Sendable {
  private let descriptor: Int32?

  /// Returns nil if another driver has the lock.
  ///
  /// - Parameter path: The path of the store. A store in memory, whose path is empty, has no lock.
  init?(nextToStore path: String) throws {
    guard !path.isEmpty else {
      descriptor = nil
      return
    }
    let descriptor = open(path + "-sync", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let reason = errno
      close(descriptor)
      if reason == EWOULDBLOCK { return nil }
      throw POSIXError(POSIXErrorCode(rawValue: reason) ?? .EIO)
    }
    self.descriptor = descriptor
  }

  deinit { if let descriptor { close(descriptor) } }
}
