/// The messages that were sent and are not confirmed, up to a number of bytes.
struct UnconfirmedLog {
  private let limit: Int
  private var entries: [(number: Int, message: WebSocketMessage)] = []
  private var bytes = 0
  /// The last message that was dropped because of the limit.
  private var lastDropped = 0
  /// The last message that the app has confirmed, and whether it ever has. Then pings no longer confirm.
  private var confirmed = 0
  private var isConfirmedByApp = false
  /// The number of messages sent so far.
  private(set) var count = 0

  init(limit: Int) {
    self.limit = limit
  }

  mutating func append(_ message: WebSocketMessage) -> Int {
    count += 1
    entries.append((count, message))
    bytes += message.byteCount
    while bytes > limit, let first = entries.first {
      lastDropped = first.number
      bytes -= first.message.byteCount
      entries.removeFirst()
    }
    return count
  }

  /// The app confirms a message and all before it.
  mutating func confirm(through number: Int) {
    guard number > confirmed, number <= count else { return }
    (confirmed, isConfirmedByApp) = (number, true)
    remove { $0 <= number }
  }

  /// An answered ping confirms messages of its connection.
  mutating func confirmByPing(after first: Int, through number: Int) {
    if !isConfirmedByApp { remove { $0 > first && $0 <= number } }
  }

  /// Removes and returns what is not confirmed.
  mutating func take() -> WebSocketUnconfirmed {
    var result = WebSocketUnconfirmed()
    result.messages = entries.map(\.message)
    result.isTruncated = lastDropped > confirmed
    (entries, bytes, lastDropped) = ([], 0, 0)
    return result
  }

  private mutating func remove(where isConfirmed: (Int) -> Bool) {
    entries.removeAll { isConfirmed($0.number) }
    bytes = entries.reduce(0) { $0 + $1.message.byteCount }
  }
}
