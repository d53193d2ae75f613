internal import FetchKit
internal import Foundation

/// Parses HTTP/1.1 requests from bytes that arrive in pieces of any size. Bytes after a request belong to the next one.
struct RequestParser {
  enum Event {
    /// The head is complete. The body, if any, follows.
    case head(LoopbackRequest, expectsContinue: Bool)
    /// The request is complete.
    case complete(LoopbackRequest)
    /// The bytes are not HTTP. Answer with the status code and close.
    case malformed(status: Int)
  }

  private enum State {
    case head
    case body(remaining: Int)
    case chunkSize, chunk(remaining: Int), chunkEnd
    case trailers
    case failed
  }

  private static let largestHead = 64 << 10
  private let maxStoredBodySize: Int
  private let connection: Int
  private var buffer: [UInt8] = []
  private var start = 0
  private var state = State.head
  private var request: LoopbackRequest?

  init(connection: Int, maxStoredBodySize: Int) {
    self.connection = connection
    self.maxStoredBodySize = maxStoredBodySize
  }

  /// The number of bytes that have not been parsed.
  var backlog: Int { buffer.count - start }

  /// How much of the current request's body has arrived.
  var bodyLength: Int { request?.bodyLength ?? 0 }

  /// Removes and returns the bytes that belong to no request yet.
  mutating func takeRest() -> [UInt8] {
    defer { (buffer, start) = ([], 0) }
    return Array(buffer[start...])
  }

  mutating func append(_ bytes: some Sequence<UInt8>) {
    if start > 0 {
      buffer.removeFirst(start)
      start = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// Returns the next event, or nil if more bytes are needed.
  mutating func next() -> Event? {
    while true {
      switch state {
      case .head:
        while start < buffer.count, buffer[start] == 0x0D || buffer[start] == 0x0A { start += 1 }
        guard let lines = takeHead() else {
          guard buffer.count - start > Self.largestHead else { return nil }
          return fail(431)
        }
        return begin(lines)
      case .body(0): return finish()
      case .body(let remaining):
        guard let count = takeBody(upTo: remaining) else { return nil }
        state = .body(remaining: remaining - count)
      case .chunkSize:
        guard let line = takeLine() else { return nil }
        let digits = line.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
        guard let size = Int(digits, radix: 16), size >= 0 else { return fail(400) }
        state = size == 0 ? .trailers : .chunk(remaining: size)
      case .chunk(0): state = .chunkEnd
      case .chunk(let remaining):
        guard let count = takeBody(upTo: remaining) else { return nil }
        state = .chunk(remaining: remaining - count)
      case .chunkEnd:
        guard let line = takeLine() else { return nil }
        guard line.isEmpty else { return fail(400) }
        state = .chunkSize
      case .trailers:
        guard let line = takeLine() else { return nil }
        if line.isEmpty { return finish() }
      case .failed: return nil
      }
    }
  }

  private mutating func begin(_ lines: [String]) -> Event {
    let words = lines[0].split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[2].hasPrefix("HTTP/1."), words[1].hasPrefix("/") || words[1] == "*" else {
      return fail(400)
    }
    var headers = HTTPHeaders()
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { return fail(400) }
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      headers.append(value, for: String(line[..<colon]))
    }
    if headers["Transfer-Encoding"]?.lowercased() == "chunked" {
      state = .chunkSize
    } else if let length = headers["Content-Length"] {
      guard let count = Int(length), count >= 0 else { return fail(400) }
      state = .body(remaining: count)
    } else {
      state = .body(remaining: 0)
    }
    let head = LoopbackRequest(
      method: HTTPMethod(rawValue: String(words[0])), target: String(words[1]), headers: headers, body: Data(),
      bodyLength: 0, connection: connection, parameters: [:])
    request = head
    return .head(head, expectsContinue: headers["Expect"]?.lowercased() == "100-continue")
  }

  private mutating func finish() -> Event? {
    guard let complete = request else { return fail(400) }
    request = nil
    state = .head
    return .complete(complete)
  }

  private mutating func fail(_ status: Int) -> Event {
    state = .failed
    return .malformed(status: status)
  }

  private mutating func takeHead() -> [String]? {
    var index = start
    var lineStart = start
    var lines: [String] = []
    while index < buffer.count {
      if buffer[index] == 0x0A {
        let end = index > lineStart && buffer[index - 1] == 0x0D ? index - 1 : index
        if end == lineStart {
          start = index + 1
          return lines
        }
        lines.append(String(decoding: buffer[lineStart..<end], as: UTF8.self))
        lineStart = index + 1
      }
      index += 1
    }
    return nil
  }

  private mutating func takeLine() -> String? {
    guard let end = buffer[start...].firstIndex(of: 0x0A) else { return nil }
    let stop = end > start && buffer[end - 1] == 0x0D ? end - 1 : end
    defer { start = end + 1 }
    return String(decoding: buffer[start..<stop], as: UTF8.self)
  }

  private mutating func takeBody(upTo limit: Int) -> Int? {
    let count = min(limit, buffer.count - start)
    guard count > 0 else { return nil }
    if let kept = request?.body.count, kept < maxStoredBodySize {
      request?.body.append(contentsOf: buffer[start..<start + min(count, maxStoredBodySize - kept)])
    }
    request?.bodyLength += count
    start += count
    return count
  }
}
