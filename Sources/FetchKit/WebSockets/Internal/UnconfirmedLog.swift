/// The messages that were sent and are not confirmed, up to a number of bytes.
struct UnconfirmedLog {
  /// What a message counts beyond its bytes.
  private static let overhead = 64

  private typealias Entry = (number: Int, message: WebSocketMessage)

  private let limit: Int
  /// Those of earlier connections, which pings on the current one do not confirm.
  private var earlier = FIFO<Entry>()
  private var current = FIFO<Entry>()
  private var bytes = 0
  /// The last message of each that was dropped because of the limit.
  private var lastDropped = (earlier: 0, current: 0)
  /// The last message that the app has confirmed, and whether it ever has. Then pings no longer confirm.
  private var confirmed = 0
  private var isConfirmedByApp = false
  /// The number of messages sent so far.
  private(set) var count = 0

  init(limit: Int) {
    self.limit = limit
  }

  /// - Parameter isSettled: Whether the app has taken care of what is not confirmed, on this connection. Then pings on
  ///   it confirm that too.
  mutating func beginConnection(isSettled: Bool) {
    while let entry = current.popFirst() { earlier.append(entry) }
    lastDropped = (max(lastDropped.earlier, lastDropped.current), 0)
    guard isSettled else { return }
    swap(&earlier, &current)
    lastDropped = (0, lastDropped.earlier)
  }

  mutating func append(_ message: WebSocketMessage) -> Int {
    count += 1
    current.append((count, message))
    bytes += message.byteCount + Self.overhead
    while bytes > limit {
      if let dropped = pop(\.earlier) {
        lastDropped.earlier = dropped.number
      } else if let dropped = pop(\.current) {
        lastDropped.current = dropped.number
      } else {
        break  // even nothing exceeds a negative limit
      }
    }
    return count
  }

  /// The app confirms a message and all before it.
  mutating func confirm(through number: Int) {
    guard number > confirmed, number <= count else { return }
    (confirmed, isConfirmedByApp) = (number, true)
    while let first = earlier.first, first.number <= number { _ = pop(\.earlier) }
    while let first = current.first, first.number <= number { _ = pop(\.current) }
  }

  /// An answered ping confirms messages of the current connection.
  mutating func confirmByPing(through number: Int) {
    guard !isConfirmedByApp else { return }
    while let first = current.first, first.number <= number { _ = pop(\.current) }
  }

  /// What is not confirmed.
  var all: WebSocketUnconfirmed {
    var copy = self
    copy.beginConnection(isSettled: false)
    return copy.takeEarlier()
  }

  /// Removes and returns what earlier connections have sent and is not confirmed.
  mutating func takeEarlier() -> WebSocketUnconfirmed {
    var result = WebSocketUnconfirmed()
    result.isTruncated = lastDropped.earlier > confirmed
    while let entry = pop(\.earlier) { result.messages.append(entry.message) }
    lastDropped.earlier = 0
    return result
  }

  private mutating func pop(_ entries: WritableKeyPath<Self, FIFO<Entry>>) -> Entry? {
    guard let entry = self[keyPath: entries].popFirst() else { return nil }
    bytes -= entry.message.byteCount + Self.overhead
    return entry
  }
}
