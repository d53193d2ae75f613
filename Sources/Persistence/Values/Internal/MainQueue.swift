#if canImport(Darwin)
internal import Darwin
#else
internal import Dispatch
#endif

/// Checks whether the caller is on the main actor.
///
/// On Linux the main queue leaves the main thread once the program waits for it. The current thread is therefore no
/// indication, but a value specific to the queue is.
///
/// On Apple's platforms the main thread is the indication: a closure that the main thread runs by `queue.sync` is on
/// the main actor, but the current queue is the other one.
enum MainQueue {
  #if canImport(Darwin)
  static var isCurrent: Bool { pthread_main_np() != 0 }
  #else
  private static let mark: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) != nil }
  #endif
}
