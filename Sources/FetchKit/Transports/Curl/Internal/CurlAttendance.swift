#if os(Linux)
/// Who waits for the answer to a request that is alone: the thread, or for a moment the caller.
///
/// An answer that the thread receives wakes two threads, its own and then one that runs the caller's task. With a
/// server near by that takes as long as the answer itself. So the caller waits for the socket, but not for longer than
/// `patience`, only where answers have been coming within it, and not for ever in a row: the thread it keeps meanwhile
/// is one that other tasks may need. A wait is in vain when the answer is late, or when the thread takes over because
/// there is more to do than this one request; after each such it takes twice as many quick answers until there is
/// another.
struct CurlAttendance {
  private static let mostInARow = 32
  private static let mostWanted = 1024

  /// In nanoseconds.
  private let patience: Int
  private var alone: CurlTransfer?
  private var isAttended = false
  private var inARow = 0
  private var quickInARow = 0
  private var wanted = 1
  /// Until when the caller waits.
  private(set) var limit = 0

  init(patience: Int) {
    self.patience = patience
  }

  /// The transfer starts, and is alone. True if its caller is to attend to it.
  mutating func begin(_ transfer: CurlTransfer, at now: Int) -> Bool {
    alone = transfer
    isAttended = quickInARow >= wanted && inARow < Self.mostInARow
    inARow = isAttended ? inARow + 1 : 0
    limit = now + patience
    return isAttended
  }

  func isGiven(to transfer: CurlTransfer) -> Bool { isAttended && alone === transfer }

  /// The thread takes over.
  mutating func end() {
    if isAttended { wanted = min(2 * wanted, Self.mostWanted) }
    isAttended = false
  }

  mutating func note(_ transfer: CurlTransfer, answeredAt now: Int) {
    guard alone === transfer else { return }
    alone = nil
    if isAttended { wanted = 1 }
    isAttended = false
    quickInARow = now < limit ? quickInARow + 1 : 0
  }
}
#endif
