#if !canImport(Darwin)
internal import Foundation

/// Decides whether Foundation must be notified again that an operation is ready. A pure state machine.
///
/// Foundation on Linux reads whether an operation is ready while it adds the operation to a queue, and stores the
/// result a moment later. If the last dependency ends in between, the stored result is stale. The queue acts on it,
/// corrects it afterward, and does not check again unless something else happens to the operation, which would then
/// wait indefinitely. Therefore an operation that has become ready makes the queue check again each time its state is
/// read.
struct ReadyNotice {
  private var hasWaited = false
  private var notifyingThread: pthread_t?
  private var wasReadByOther = false

  /// Records the value returned to a thread. Returns whether that thread must notify Foundation now.
  mutating func answered(_ isReady: Bool, to thread: pthread_t) -> Bool {
    guard isReady else {
      hasWaited = true
      return false
    }
    // If the operation was ready from the beginning, Foundation has stored the correct value.
    guard hasWaited else { return false }
    guard let notifyingThread else {
      self.notifyingThread = thread
      return true
    }
    // The notification makes Foundation read the value on the same thread. Any other thread may be about to act on an
    // older value.
    if notifyingThread != thread { wasReadByOther = true }
    return false
  }

  /// Records that Foundation was notified. Returns whether it must be notified again.
  mutating func notified() -> Bool {
    defer { wasReadByOther = false }
    if !wasReadByOther { notifyingThread = nil }
    return wasReadByOther
  }
}
#endif
