internal import Foundation

/// Parses an event stream from chunks that may be split at any byte (HTML standard, §9.2.5 and §9.2.6).
struct EventStreamParser {
  /// The id to resume from. It is preserved from one connection to the next.
  private(set) var lastEventID = ""
  /// The minimum delay before the next connection. It is also preserved.
  private(set) var retry = Duration.zero

  private var line: [UInt8] = []
  private var endedWithReturn = false
  private var isAtStart = true
  private var type = ""
  private var data: [UInt8] = []
  private var id = ""

  /// The number of bytes held for an incomplete event.
  var bytes: Int { line.count + data.count + type.utf8.count + id.utf8.count }

  /// Starts a new connection and discards an incomplete event.
  mutating func restart() {
    line = []
    endedWithReturn = false
    isAtStart = true
    type = ""
    data = []
    id = lastEventID
  }

  /// Returns the events that these bytes complete.
  mutating func events(in chunk: Data) -> [ServerSentEvent] {
    var events: [ServerSentEvent] = []
    var rest = chunk[...]
    if endedWithReturn, rest.first == Self.lineFeed { rest = rest.dropFirst() }
    if !chunk.isEmpty { endedWithReturn = false }
    while let end = rest.firstIndex(where: { $0 == Self.lineFeed || $0 == Self.carriageReturn }) {
      line += rest[..<end]
      let isReturn = rest[end] == Self.carriageReturn
      rest = rest[rest.index(after: end)...]
      if isReturn, rest.first == Self.lineFeed {
        rest = rest.dropFirst()
      } else if rest.isEmpty {
        endedWithReturn = isReturn
      }
      if let event = endLine() { events.append(event) }
    }
    line += rest
    return events
  }

  /// At most one hour, so that a server cannot stop the client from reconnecting, nor make it do so in a hot loop.
  private static let retryMilliseconds = 100...3_600_000
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  private mutating func endLine() -> ServerSentEvent? {
    defer { line.removeAll(keepingCapacity: true) }
    if isAtStart {
      isAtStart = false
      if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
    }
    guard !line.isEmpty else { return dispatch() }
    let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
    var value = line[colon...].dropFirst()
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    // A line that begins with a colon is a comment: its name is empty.
    switch String(decoding: line[..<colon], as: UTF8.self) {
    case "event": type = String(decoding: value, as: UTF8.self)
    case "data":
      data += value
      data.append(Self.lineFeed)
    case "id": if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
    case "retry":
      if !value.isEmpty, value.allSatisfy({ (0x30...0x39).contains($0) }) {
        let range = Self.retryMilliseconds
        let milliseconds = Int(String(decoding: value, as: UTF8.self)) ?? range.upperBound
        retry = .milliseconds(min(max(milliseconds, range.lowerBound), range.upperBound))
      }
    default: break
    }
    return nil
  }

  private mutating func dispatch() -> ServerSentEvent? {
    lastEventID = id
    defer {
      type = ""
      data.removeAll(keepingCapacity: true)
    }
    guard !data.isEmpty else { return nil }
    return ServerSentEvent(
      type: type.isEmpty ? "message" : type, data: String(decoding: data.dropLast(), as: UTF8.self),
      lastEventID: lastEventID)
  }
}
