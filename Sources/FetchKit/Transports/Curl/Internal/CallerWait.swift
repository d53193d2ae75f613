#if os(Linux)
/// Decides who waits for the response to a request that is alone: the thread or, for a moment, the caller.
///
/// A response that the thread receives wakes two threads: its own, and then one that runs the caller's task. If the
/// server is near, that takes as long as the response itself. Therefore the caller waits for the socket. It waits no
/// longer than `patience`, only if recent responses arrived within that time, and only a limited number of times in a
/// row, because other tasks may need the blocked thread. A wait is wasted if the response is late, or if the thread
/// takes over because there is more to do than this one request. Each wasted wait doubles the number of quick responses
/// required before the next wait.
struct CallerWait {
  private static let mostInARow = 32
  private static let mostWanted = 1024

  /// In nanoseconds.
  private let patience: Int
  private var alone: CurlTransfer?
  private var isCallerWaiting = false
  private var inARow = 0
  private var quickInARow = 0
  private var wanted = 1
  /// When the caller stops waiting.
  private(set) var limit = 0

  init(patience: Int) {
    self.patience = patience
  }

  /// Records that the transfer starts alone. Returns true if its caller is to wait for the socket.
  mutating func begin(_ transfer: CurlTransfer, at now: Int) -> Bool {
    alone = transfer
    isCallerWaiting = quickInARow >= wanted && inARow < Self.mostInARow
    inARow = isCallerWaiting ? inARow + 1 : 0
    limit = now + patience
    return isCallerWaiting
  }

  func isGiven(to transfer: CurlTransfer) -> Bool { isCallerWaiting && alone === transfer }

  /// Records that the thread takes over.
  mutating func end() {
    if isCallerWaiting { wanted = min(2 * wanted, Self.mostWanted) }
    isCallerWaiting = false
  }

  mutating func note(_ transfer: CurlTransfer, answeredAt now: Int) {
    guard alone === transfer else { return }
    alone = nil
    if isCallerWaiting { wanted = 1 }
    isCallerWaiting = false
    quickInARow = now < limit ? quickInARow + 1 : 0
  }
}
#endif
