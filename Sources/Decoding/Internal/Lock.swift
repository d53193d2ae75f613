internal import Foundation

/// A value protected by a pthread mutex.
///
/// `Synchronization.Mutex` would do, but on Linux the thread sanitizer does not understand its futex and reports races
/// that do not exist; it does understand pthread mutexes. Code that can call back into user code must not run inside
/// `withLock`.
///
/// `@unchecked Sendable`: `state` is accessed only between `lock()` and `unlock()` of `mutex`.
package final class Lock<State>: @unchecked Sendable {
  private let mutex = NSLock()
  // The mutex is the check.
  @exclusivity(unchecked) private var state: State

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
}
