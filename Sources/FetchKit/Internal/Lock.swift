internal import Foundation

/// A value protected by a pthread mutex.
///
/// `Synchronization.Mutex` would suffice, but on Linux the thread sanitizer cannot see its futex and reports false
/// races. It does see pthread mutexes. Code that can call back into user code must not run inside `withLock`.
///
/// `@unchecked Sendable`: `state` is accessed only between `lock()` and `unlock()` of `mutex`.
package final class Lock<State>: @unchecked Sendable, CustomReflectable {
  /// Empty. `dump` would read the state without the lock and could reveal secrets.
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

  /// Returns nil, without calling `body`, if another thread holds the lock.
  package func withLockIfAvailable<Result>(_ body: (inout State) -> Result) -> Result? {
    guard mutex.try() else { return nil }
    defer { mutex.unlock() }
    return body(&state)
  }
}
