internal import Foundation

/// Where a space may be used now.
struct Isolation {
  /// On the main actor, always; or else on the thread that runs a closure of the context, while it runs.
  let isMain: Bool
  var thread: pthread_t?

  @inline(__always) var isCurrent: Bool {
    guard let thread else { return isMain && MainQueue.isCurrent }
    return pthread_equal(thread, pthread_self()) != 0
  }
}
