internal import Foundation

/// Where a space can currently be used.
struct Isolation {
  /// Always on the main actor, or otherwise on the thread that runs a closure of the context, while it runs.
  let isMain: Bool
  var thread: pthread_t?

  @inline(__always) var isCurrent: Bool {
    guard let thread else { return isMain && MainQueue.isCurrent }
    return pthread_equal(thread, pthread_self()) != 0
  }
}
