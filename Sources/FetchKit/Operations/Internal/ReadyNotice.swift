#if !canImport(Darwin)
internal import Foundation

/// Whether Foundation is to be told once more that an operation is ready: a pure state machine.
///
/// Foundation on Linux asks an operation whether it is ready while it adds it to a queue, and writes the answer down a
/// moment later. Where the last dependency ends in between, the answer is out of date: the queue goes by it, corrects
/// it when it has looked, and does not look again unless something else happens to it. The operation would wait for
/// ever. So one that has become ready has the queue look again, whenever it was asked.
struct ReadyNotice {
  private var hasWaited = false
  private var teller: pthread_t?
  private var isAskedMeanwhile = false

  /// A thread was given an answer; whether it is to tell Foundation now.
  mutating func answered(_ isReady: Bool, to thread: pthread_t) -> Bool {
    guard isReady else {
      hasWaited = true
      return false
    }
    // What was ready from the beginning has been written down so.
    guard hasWaited else { return false }
    guard let teller else {
      self.teller = thread
      return true
    }
    // Being told, Foundation asks: on the same thread. Any other may just be about to go by an older answer.
    if teller != thread { isAskedMeanwhile = true }
    return false
  }

  /// Foundation has been told; whether it is to be told again.
  mutating func told() -> Bool {
    defer { isAskedMeanwhile = false }
    if !isAskedMeanwhile { teller = nil }
    return isAskedMeanwhile
  }
}
#endif
