public import FetchKit
public import Foundation

/// The server's side of a WebSocket of a ``LoopbackServer``.
///
/// It answers pings and closures, unless ``answersControlFrames`` is false. It reads all that arrives. What it receives
/// is not checked beyond what framing needs. It can send what no well-behaved server would: see ``send(bytes:)`` and
/// ``frame(_:isFinal:bits:_:)``.
public final class LoopbackSocket: Sendable {
  fileprivate struct State {
    var reader = WebSocketFrameReader()
    var frame = WebSocketFrame(.binary, length: 0)
    var payload: [UInt8] = []
    var message: (isText: Bool, bytes: [UInt8])?
    var messages: [WebSocketMessage] = []
    var pings: [Data] = []
    var pongs: [Data] = []
    var closure: WebSocketClosure?
    var hasEnded = false
    var answersControlFrames = true
    var hasClosed = false
  }

  /// The request that opened the WebSocket.
  public let request: LoopbackRequest
  /// The subprotocol that the server chose.
  public let subprotocol: String?
  private let connection: Connection
  private let state = AsyncCondition(State())

  init(_ connection: Connection, _ request: LoopbackRequest, subprotocol: String?) {
    self.connection = connection
    self.request = request
    self.subprotocol = subprotocol
  }

  /// Whether pings and closures are answered.
  public var answersControlFrames: Bool {
    get { state.change(\.answersControlFrames) }
    set { state.change { $0.answersControlFrames = newValue } }
  }

  /// The closure of the client, once it has been received.
  public var closure: WebSocketClosure? { state.change(\.closure) }
  /// The payloads of the pings that were received.
  public var pings: [Data] { state.change(\.pings) }
  /// The payloads of the pongs that were received.
  public var pongs: [Data] { state.change(\.pongs) }

  /// Returns the next message; nil when the client has closed or cut the connection.
  public func receive() async throws -> WebSocketMessage? {
    await state.wait { !$0.messages.isEmpty || $0.hasEnded || $0.closure != nil }
    try Task.checkCancellation()
    return state.change { $0.messages.isEmpty ? nil : $0.messages.removeFirst() }
  }

  /// Waits until the client has closed or cut the connection.
  public func waitForEnd() async { await state.wait { $0.hasEnded || $0.closure != nil } }

  /// Waits until the client has sent the number of pings.
  public func waitForPings(_ count: Int) async { await state.wait { $0.pings.count >= count || $0.hasEnded } }

  /// Sends a message in one frame.
  public func send(_ message: WebSocketMessage) {
    switch message {
    case .text(let text): send(bytes: Self.frame(1, Data(text.utf8)))
    case .binary(let data): send(bytes: Self.frame(2, data))
    }
  }

  /// Sends a ping.
  public func ping(_ payload: Data = Data()) { send(bytes: Self.frame(9, payload)) }

  /// Sends a closure, once.
  public func close(_ closure: WebSocketClosure = WebSocketClosure()) {
    let mustSend = state.change { state in
      defer { state.hasClosed = true }
      return !state.hasClosed
    }
    guard mustSend else { return }
    var payload = Data()
    if closure.code != .noStatus {
      payload =
        Data([UInt8(closure.code.rawValue >> 8), UInt8(closure.code.rawValue & 255)]) + Data(closure.reason.utf8)
    }
    send(bytes: Self.frame(8, payload))
  }

  /// Sends bytes unchanged.
  public func send(bytes: Data) { connection.send(bytes) }

  /// Ends the connection after what was sent.
  public func end(_ way: LoopbackResponse.Break) { connection.end(way) }

  /// Returns a frame with any opcode and bits, whether they make sense or not.
  ///
  /// - Parameters:
  ///   - opcode: 0 continues a message, 1 is text, 2 is binary, 8 closes, 9 is a ping and 10 a pong.
  ///   - isFinal: Whether the message ends with the frame.
  ///   - bits: The three reserved bits, as a number from 0 to 7.
  ///   - payload: The payload.
  public static func frame(_ opcode: UInt8, isFinal: Bool = true, bits: UInt8 = 0, _ payload: Data) -> Data {
    var frame = Data()
    WebSocketFrame(isFinal: isFinal, .binary, length: payload.count).append(payload, to: &frame)
    frame[0] = (isFinal ? 0x80 : 0) | bits << 4 | opcode & 15
    return frame
  }

  func run(_ handler: LoopbackResponse.SocketHandler) async {
    do {
      try await handler(self)
      close()
      await state.wait { $0.hasEnded || $0.closure != nil }
      connection.end(.close)
    } catch {
      connection.end(.reset)
    }
  }

  func noteEnd() { state.change { $0.hasEnded = true } }

  /// Called on the connection's queue.
  func receive(_ bytes: [UInt8]) {
    let (pings, closes) = state.change { $0.receive(bytes) }
    for payload in pings { send(bytes: Self.frame(10, payload)) }
    if let closes {
      close(closes)
      connection.end(.close)
    }
  }
}

extension LoopbackSocket.State {
  /// Returns the pings and the closure to answer.
  fileprivate mutating func receive(_ bytes: [UInt8]) -> ([Data], WebSocketClosure?) {
    var unanswered: [Data] = []
    bytes.withUnsafeBytes { input in
      var input = input
      while closure == nil, let piece = try? reader.next(&input) {
        switch piece {
        case .header(let header): (frame, payload) = (header, [])
        case .payload(let bytes): payload.append(contentsOf: bytes)
        case .end: end(&unanswered)
        }
      }
    }
    return answersControlFrames ? (unanswered, closure) : ([], nil)
  }

  private mutating func end(_ unanswered: inout [Data]) {
    if let mask = frame.mask { payload.withUnsafeMutableBytes { WebSocketFrame.apply(mask, at: 0, to: $0) } }
    switch frame.opcode {
    case .ping:
      pings.append(Data(payload))
      unanswered.append(Data(payload))
    case .pong: pongs.append(Data(payload))
    case .close:
      closure = WebSocketClosure(.noStatus)
      guard payload.count > 1 else { return }
      closure = WebSocketClosure(
        .init(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1])),
        reason: String(decoding: payload[2...], as: UTF8.self))
    case .text, .binary, .continuation:
      if frame.opcode != .continuation { message = (frame.opcode == .text, []) }
      message?.bytes += payload
      guard frame.isFinal, let whole = message else { return }
      message = nil
      messages.append(whole.isText ? .text(String(decoding: whole.bytes, as: UTF8.self)) : .binary(Data(whole.bytes)))
    }
  }
}
