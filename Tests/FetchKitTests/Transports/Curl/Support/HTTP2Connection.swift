#if os(Linux)
import Glibc

@testable import FetchKit

/// Codes of RFC 9113 §7.
enum HTTP2Error: UInt32, Sendable {
  case none = 0
  case `internal` = 2
  case refusedStream = 7
  case cancel = 8
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
    let head = Self.bytes(UInt32(payload.count)).dropFirst() + [frame.rawValue, flags] + Self.bytes(stream)
    isOpen.withLock { if $0 { raw.write(head + payload) } }
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
