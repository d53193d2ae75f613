/// The messages that were sent and are not confirmed, up to a number of bytes.
struct UnconfirmedLog {
  private let limit: Int
  private var entries = FIFO<(number: Int, message: WebSocketMessage)>()
  private var bytes = 0
  private var isTruncated = false
  private var lastNumber = 0
  private var confirmed = 0
  /// Whether the app confirms messages. Then pings no longer do.
  private var isConfirmedByApp = false

  init(limit: Int) {
    self.limit = limit
  }

  /// The number of messages sent so far.
  var count: Int { lastNumber }

  mutating func append(_ message: WebSocketMessage) -> Int {
    lastNumber += 1
    entries.append((lastNumber, message))
    bytes += message.byteCount
    while bytes > limit, dropFirst() { isTruncated = true }
    return lastNumber
  }

  mutating func confirm(through number: Int, byApp: Bool) {
    if byApp { isConfirmedByApp = true }
    guard byApp || !isConfirmedByApp, number > confirmed, number <= lastNumber else { return }
    confirmed = number
    let hadAll = entries.first.map { $0.number > number + 1 } != true
    while let first = entries.first, first.number <= number { _ = dropFirst() }
    if hadAll { isTruncated = false }
  }

  /// Removes and returns what is not confirmed.
  mutating func take() -> WebSocketUnconfirmed {
    var result = WebSocketUnconfirmed()
    result.isTruncated = isTruncated
    while let entry = entries.popFirst() { result.messages.append(entry.message) }
    (bytes, isTruncated, confirmed) = (0, false, lastNumber)
    return result
  }

  private mutating func dropFirst() -> Bool {
    guard let entry = entries.popFirst() else { return false }
    bytes -= entry.message.byteCount
    return true
  }
}
