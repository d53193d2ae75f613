internal import Foundation

/// A value behind a pthread mutex.
///
/// `Synchronization.Mutex` would do, but on Linux the thread sanitizer cannot see its futex and reports races that are
/// not there; it does see pthread's. Nothing that can call back into user code may run inside `withLock`.
///
/// `@unchecked Sendable`: `state` is touched only between `lock()` and `unlock()` of `mutex`.
package final class Lock<State>: @unchecked Sendable, CustomReflectable {
  /// Nothing: `dump` would read the state without the lock, and show what may be secret.
  package var customMirror: Mirror { Mirror(self, children: [:]) }

  private let mutex = NSLock()
  private var state: State

  package init(_ state: sending State) {
    self.state = state
  }

  @discardableResult
  package func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    mutex.lock()
    defer { mutex.unlock() }
    return try body(&state)
  }

  /// Runs `body` when nobody holds the lock; nil, at once, when somebody does.
  package func withLockIfAvailable<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard mutex.try() else { return nil }
    defer { mutex.unlock() }
    return try body(&state)
  }
}
