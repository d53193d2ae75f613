internal import Dispatch

/// Whether the caller is on the main actor. On Linux the main queue leaves the main thread once a program waits for it,
/// so that the thread tells nothing; the queue itself does.
enum MainQueue {
  private static let mark: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) != nil }
}
