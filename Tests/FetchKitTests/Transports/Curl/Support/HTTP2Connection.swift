#if os(Linux)
import Glibc

import FetchKit

/// Codes of RFC 9113 §7.
enum HTTP2Error: UInt32, Sendable, CaseIterable {
  case none = 0
  case `protocol` = 1
  case `internal` = 2
  case flowControl = 3
  case settingsTimeout = 4
  case streamClosed = 5
  case frameSize = 6
  case refusedStream = 7
  case cancel = 8
  case compression = 9
  case connect = 10
  case enhanceYourCalm = 11
  case inadequateSecurity = 12
  case http11Required = 13
}

/// The settings that a server sends first (RFC 9113 §6.5.2).
struct HTTP2Setting: Sendable {
  let identifier: UInt16
  let value: UInt32

  static func maxConcurrentStreams(_ count: UInt32) -> Self { Self(identifier: 3, value: count) }
  static func initialWindowSize(_ bytes: UInt32) -> Self { Self(identifier: 4, value: bytes) }
}

/// A connection of an ``HTTP2Peer``: frames, and which streams have ended.
final class HTTP2Connection: Sendable {
  private enum Frame: UInt8 {
    case data, headers, priority, reset, settings, push, ping, goAway, windowUpdate, continuation
  }

  private static let endStream: UInt8 = 1
  private static let endHeaders: UInt8 = 4
  private static let ack: UInt8 = 1
  private static let preface = "PRI * HTTP/2.0\r\n\r\n"

  /// Counted from 1.
  let number: Int
  private let raw: RawConnection
  /// Whether frames may be written: once the connection is closed its descriptor may belong to another one.
  private let isOpen = Lock(true)
  /// Whether a window was widened.
  private let isWide = Lock(false)

  init(_ number: Int, _ raw: RawConnection) {
    self.number = number
    self.raw = raw
  }

  // MARK: Writing

  func respond(_ text: String, on stream: UInt32) {
    head(on: stream)
    send(.data, Self.endStream, stream, Array(text.utf8))
  }

  /// The head of a response with status 200, which HPACK has in its table, without any of its body.
  func head(on stream: UInt32) { send(.headers, Self.endHeaders, stream, [0x88]) }

  /// A response with status 200, fields that HPACK's table lacks, and a body, in one write.
  func respond(_ text: String, fields: [(name: String, value: String)], on stream: UInt32) {
    var block: [UInt8] = [0x88]
    for field in fields { block += [0] + Self.literal(field.name) + Self.literal(field.value) }
    var bytes: [UInt8] = []
    var isFirst = true
    repeat {
      let part = block.prefix(16_384)
      block.removeFirst(part.count)
      let flags = block.isEmpty ? Self.endHeaders : 0
      bytes += Self.frame(isFirst ? .headers : .continuation, flags, stream, Array(part))
      isFirst = false
    } while !block.isEmpty
    bytes += Self.frame(.data, Self.endStream, stream, Array(text.utf8))
    isOpen.withLock { if $0 { raw.write(bytes) } }
  }

  /// A string of HPACK (RFC 7541 §5.2), without Huffman coding.
  private static func literal(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    if bytes.count < 127 { return [UInt8(bytes.count)] + bytes }
    var length: [UInt8] = [127]
    var rest = bytes.count - 127
    while rest >= 128 {
      length.append(UInt8(rest % 128 + 128))
      rest /= 128
    }
    return length + [UInt8(rest)] + bytes
  }

  func reset(_ stream: UInt32, _ error: HTTP2Error) { send(.reset, 0, stream, Self.bytes(error.rawValue)) }

  func goAway(last stream: UInt32, _ error: HTTP2Error = .none) {
    send(.goAway, 0, 0, Self.bytes(stream) + Self.bytes(error.rawValue))
  }

  func ping() { send(.ping, 0, 0, Array(repeating: 0, count: 8)) }

  /// For stream 0 the window of the whole connection.
  func widenWindow(of stream: UInt32, by bytes: UInt32) {
    isWide.withLock { $0 = true }
    send(.windowUpdate, 0, stream, Self.bytes(bytes))
  }

  /// Closes gracefully.
  func close() {
    isOpen.withLock { if $0 { shutdown(raw.descriptor, Int32(SHUT_RDWR)) } }
  }

  private func send(_ frame: Frame, _ flags: UInt8, _ stream: UInt32, _ payload: [UInt8]) {
    isOpen.withLock { if $0 { raw.write(Self.frame(frame, flags, stream, payload)) } }
  }

  private static func frame(_ frame: Frame, _ flags: UInt8, _ stream: UInt32, _ payload: [UInt8]) -> [UInt8] {
    bytes(UInt32(payload.count)).dropFirst() + [frame.rawValue, flags] + bytes(stream) + payload
  }

  private static func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }

  // MARK: Reading

  /// Reads until either side closes.
  func serve(_ settings: [HTTP2Setting], _ report: (HTTP2Peer.Event) -> Void) {
    raw.sendAtOnce()
    report(.connected(self))
    if let head = raw.readHead() {
      if head == Self.preface { serveFrames(settings, report) } else { serveOldRequest(head, report) }
    }
    isOpen.withLock { $0 = false }
    report(.closed(self))
  }

  private func serveFrames(_ settings: [HTTP2Setting], _ report: (HTTP2Peer.Event) -> Void) {
    guard raw.read(through: "SM\r\n\r\n") != nil else { return }
    send(
      .settings, 0, 0,
      settings.flatMap { [UInt8($0.identifier >> 8), UInt8($0.identifier & 0xFF)] + Self.bytes($0.value) })
    var bodies: [UInt32: [UInt8]] = [:]
    while let head = raw.read(count: 9) {
      let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
      guard let payload = length == 0 ? [] : raw.read(count: length) else { return }
      let flags = head[4]
      let stream = head[5...].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
      switch Frame(rawValue: head[3]) {
      case .settings where flags & Self.ack == 0: send(.settings, Self.ack, 0, [])
      case .ping where flags & Self.ack == 0: send(.ping, Self.ack, 0, payload)
      case .ping: report(.pong(self))
      case .headers:
        bodies[stream] = []
        if flags & Self.endStream == 0 { report(.upload(self, stream: stream)) }
      case .data:
        bodies[stream, default: []] += payload
        // The same amount again, once the first window was widened.
        if length > 0, isWide.withLock(\.self) {
          widenWindow(of: 0, by: UInt32(length))
          if flags & Self.endStream == 0 { widenWindow(of: stream, by: UInt32(length)) }
        }
      default: continue
      }
      if head[3] <= Frame.headers.rawValue, flags & Self.endStream != 0 {
        report(.request(HTTP2Request(connection: self, stream: stream, body: bodies.removeValue(forKey: stream) ?? [])))
      }
    }
  }

  private func serveOldRequest(_ first: String, _ report: (HTTP2Peer.Event) -> Void) {
    var next: String? = first
    while let head = next {
      report(.oldRequest(head))
      raw.write("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nHTTP/1.1")
      next = raw.readHead()
    }
  }
}
#endif
