internal import Foundation

/// The frames of this side: each is complete, and none follows a closure.
struct WebSocketSender {
  private let deflater: Deflater?
  private let resetsDeflater: Bool
  private let mask: @Sendable () -> UInt32
  private(set) var hasClosed = false

  /// - Parameter mask: Returns 32 unpredictable bits (RFC 6455 §10.3).
  init(_ deflate: DeflateAgreement?, mask: @escaping @Sendable () -> UInt32) {
    deflater = deflate.map { Deflater(.raw(windowBits: $0.windowBits)) }
    resetsDeflater = deflate?.clientResets ?? false
    self.mask = mask
  }

  /// The frame of a message; nil after a closure.
  mutating func message(_ message: WebSocketMessage) -> Data? {
    switch message {
    case .text(var text): text.withUTF8 { self.message(.text, UnsafeRawBufferPointer($0)) }
    case .binary(let data): data.withUnsafeBytes { self.message(.binary, $0) }
    }
  }

  private mutating func message(_ opcode: WebSocketFrame.Opcode, _ bytes: UnsafeRawBufferPointer) -> Data? {
    guard bytes.count >= 64, let deflater, !hasClosed else { return frame(opcode, bytes) }
    // Without the end of the flushed block, which the receiver adds (RFC 7692 §7.2.1).
    let compressed = deflater.next(bytes, flush: .block).dropLast(4)
    if resetsDeflater { deflater.reset() }
    return frame(opcode, compressed, isCompressed: true)
  }

  mutating func ping(_ payload: Data) -> Data? { frame(.ping, payload) }

  mutating func pong(_ payload: Data) -> Data? { frame(.pong, payload) }

  /// The frame of a closure, once. A closure without status has no payload.
  mutating func close(_ closure: WebSocketClosure) -> Data? {
    var payload = Data()
    if closure.code != .noStatus {
      withUnsafeBytes(of: closure.code.rawValue.bigEndian) { payload.append(contentsOf: $0) }
      payload.append(contentsOf: closure.reason.utf8)
    }
    defer { hasClosed = true }
    return frame(.close, payload)
  }

  private func frame(
    _ opcode: WebSocketFrame.Opcode, _ payload: some ContiguousBytes, isCompressed: Bool = false
  ) -> Data? {
    guard !hasClosed else { return nil }
    let count = payload.withUnsafeBytes(\.count)
    var frame = Data(capacity: count + 14)
    WebSocketFrame(isCompressed: isCompressed, opcode, length: count, mask: mask()).append(payload, to: &frame)
    return frame
  }
}
