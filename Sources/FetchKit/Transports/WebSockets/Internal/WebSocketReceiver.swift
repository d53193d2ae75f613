internal import Foundation

/// What the bytes of the server mean (RFC 6455 §5, RFC 7692 §7): a state machine without input and output of its own.
///
/// Nothing after a closure or a violation is read.
struct WebSocketReceiver {
  enum Event: Equatable {
    case message(WebSocketMessage)
    case ping(Data)
    case pong(Data)
    case closed(WebSocketClosure)
    case failed(WebSocketError)
  }

  private let limit: Int
  private var reader = WebSocketFrameReader()
  private let inflater: Inflater?
  /// Whether the server compresses each message on its own.
  private let resetsInflater: Bool
  private var frame = WebSocketFrame(.binary, length: 0)
  /// The message of which some frames have arrived.
  private var message: (opcode: WebSocketFrame.Opcode, isCompressed: Bool)?
  private var bytes = Data()
  private var text = UTF8Check()
  /// The payload of the current control frame.
  private var control = Data()
  private(set) var hasEnded = false

  /// - Parameter limit: The most bytes of a message.
  init(limit: Int, _ deflate: DeflateAgreement?) {
    self.limit = limit
    inflater = deflate.map { _ in Inflater(.raw) }
    resetsInflater = deflate?.serverResets ?? false
  }

  /// Reads bytes and reports what they complete.
  mutating func receive(_ input: UnsafeRawBufferPointer, _ report: (Event) -> Void) {
    var input = input
    do throws(WebSocketError) {
      while !hasEnded, let piece = try reader.next(&input) {
        switch piece {
        case .header(let header): try begin(header)
        case .payload(let piece): try take(piece)
        case .end: if let event = try end() { report(event) }
        }
      }
    } catch {
      hasEnded = true
      report(.failed(error))
    }
  }

  private mutating func begin(_ header: WebSocketFrame) throws(WebSocketError) {
    guard header.mask == nil else { throw .violation(reason: "the server masks a frame") }
    frame = header
    switch header.opcode {
    case .continuation:
      guard message != nil else { throw .violation(reason: "a continuation follows no message") }
      guard !header.isCompressed else { throw .violation(reason: "a continuation has the bit of compression") }
    case .text, .binary:
      guard message == nil else { throw .violation(reason: "a message begins within another") }
      guard !header.isCompressed || inflater != nil else {
        throw .violation(reason: "a message is compressed, although that was not agreed on")
      }
      message = (header.opcode, header.isCompressed)
    case .close, .ping, .pong:
      guard !header.isCompressed else { throw .violation(reason: "a control frame has the bit of compression") }
    }
    // Before its bytes arrive, and before memory is reserved for them.
    guard header.opcode.isControl || message?.isCompressed == true || header.length <= limit - bytes.count else {
      throw .tooLarge(limit: limit)
    }
    // Not for each of many small frames, which would copy the message again and again.
    if !header.opcode.isControl, bytes.isEmpty { bytes.reserveCapacity(min(header.length, Self.reserve)) }
  }

  private mutating func take(_ piece: UnsafeRawBufferPointer) throws(WebSocketError) {
    if frame.opcode.isControl {
      control.append(contentsOf: piece)
    } else if message?.isCompressed == true {
      try decompress(piece)
    } else {
      try append(piece)
    }
  }

  private mutating func decompress(_ piece: UnsafeRawBufferPointer) throws(WebSocketError) {
    var rest = piece
    do {
      while let inflated = try inflater?.next(&rest), !rest.isEmpty || !inflated.isEmpty { try append(inflated) }
    } catch let error as WebSocketError {
      throw error
    } catch {
      throw Self.malformed
    }
  }

  private mutating func append(_ piece: UnsafeRawBufferPointer) throws(WebSocketError) {
    guard piece.count <= limit - bytes.count else { throw .tooLarge(limit: limit) }
    if message?.opcode == .text, !text.accept(piece) { throw Self.notUTF8 }
    bytes.append(contentsOf: piece)
  }

  private mutating func end() throws(WebSocketError) -> Event? {
    if frame.opcode.isControl { return try endControl() }
    guard frame.isFinal, let message else { return nil }
    if message.isCompressed { try endCompressed() }
    guard message.opcode == .binary || text.isComplete else { throw Self.notUTF8 }
    defer { (self.message, bytes, text) = (nil, Data(), UTF8Check()) }
    return .message(message.opcode == .binary ? .binary(bytes) : .text(String(decoding: bytes, as: UTF8.self)))
  }

  private mutating func endCompressed() throws(WebSocketError) {
    guard let inflater else { return }
    // A final block needs no end.
    if !inflater.hasEnded {
      let result = Self.tail.withUnsafeBytes { bytes in
        Result { () throws(WebSocketError) in try decompress(bytes) }
      }
      try result.get()
    }
    guard inflater.isBetweenBlocks else { throw Self.malformed }
    if resetsInflater { inflater.reset() }
  }

  private mutating func endControl() throws(WebSocketError) -> Event {
    defer { control = Data() }
    switch frame.opcode {
    case .ping: return .ping(control)
    case .pong: return .pong(control)
    default:
      let closure = try Self.closure(control)
      hasEnded = true
      return .closed(closure)
    }
  }

  private static func closure(_ payload: Data) throws(WebSocketError) -> WebSocketClosure {
    guard !payload.isEmpty else { return WebSocketClosure(.noStatus) }
    guard payload.count > 1 else { throw .violation(reason: "a closure has half a code") }
    let bytes = [UInt8](payload)
    let code = WebSocketClosure.Code(rawValue: UInt16(bytes[0]) << 8 | UInt16(bytes[1]))
    guard code.isSendable else { throw .violation(reason: "a closure has a reserved code") }
    guard let reason = String(validating: bytes[2...], as: UTF8.self) else { throw notUTF8 }
    return WebSocketClosure(code, reason: reason)
  }

  /// The most bytes for which memory is reserved because a header says so.
  private static let reserve = 1 << 20
  /// The end of a block without data, which senders omit (RFC 7692 §7.2.2).
  private static let tail: [UInt8] = [0, 0, 0xFF, 0xFF]
  private static let malformed = WebSocketError.invalidPayload(reason: "a message cannot be decompressed")
  private static let notUTF8 = WebSocketError.invalidPayload(reason: "a text is not UTF-8")
}

extension WebSocketError {
  /// What this side closes with after the error; nil if the connection has ended or the server has closed it.
  var closure: WebSocketClosure? {
    switch self {
    case .violation: WebSocketClosure(.protocolError)
    case .invalidPayload: WebSocketClosure(.invalidPayload)
    case .tooLarge: WebSocketClosure(.messageTooBig)
    default: nil
    }
  }
}
