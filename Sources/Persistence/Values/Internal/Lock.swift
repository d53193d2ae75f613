internal import Foundation

/// A value protected by a pthread mutex.
///
/// `Synchronization.Mutex` would work, but on Linux the thread sanitizer cannot see its futex and reports races that do
/// not exist. It does see pthread's mutex. Do not run anything inside `withLock` that can call back into user code.
///
/// `@unchecked Sendable`: `state` is accessed only between `lock()` and `unlock()` of `mutex`.
final class Lock<State>: @unchecked Sendable {
  private let mutex = NSLock()
  private var state: State

  init(_ state: sending State) {
    self.state = state
  }

  @discardableResult
  func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    mutex.lock()
    defer { mutex.unlock() }
    return try body(&state)
  }
}
