/// Splits received bytes into headers of frames and pieces of their payloads, as they arrive.
package struct WebSocketFrameReader: Sendable {
  package enum Piece {
    case header(WebSocketFrame)
    /// Bytes of the payload of the last header, as they were received.
    case payload(UnsafeRawBufferPointer)
    case end
  }

  /// The bytes of a header that is not complete.
  private var header: [UInt8] = []
  /// What is missing of the current payload; nil between frames.
  private var missing: Int?

  package init() {}

  /// Takes the next piece from the front of the input; nil if the input is used up. A payload has an `end`, even if it
  /// is empty.
  package mutating func next(_ input: inout UnsafeRawBufferPointer) throws(WebSocketError) -> Piece? {
    if let missing {
      if missing == 0 {
        self.missing = nil
        return .end
      }
      guard !input.isEmpty else { return nil }
      let piece = UnsafeRawBufferPointer(rebasing: input.prefix(missing))
      input = UnsafeRawBufferPointer(rebasing: input.dropFirst(piece.count))
      self.missing = missing - piece.count
      return .payload(piece)
    }
    while let byte = input.first {
      input = UnsafeRawBufferPointer(rebasing: input.dropFirst())
      header.append(byte)
      guard let frame = try Self.frame(header) else { continue }
      header.removeAll(keepingCapacity: true)
      missing = frame.length
      return .header(frame)
    }
    return nil
  }

  /// The header, once it is complete.
  private static func frame(_ bytes: [UInt8]) throws(WebSocketError) -> WebSocketFrame? {
    guard let opcode = WebSocketFrame.Opcode(rawValue: bytes[0] & 15) else {
      throw .violation(reason: "a frame has an unknown opcode")
    }
    guard bytes[0] & 0x30 == 0 else { throw .violation(reason: "a frame has a reserved bit") }
    guard bytes.count > 1 else { return nil }
    let short = Int(bytes[1] & 127)
    let isFinal = bytes[0] & 0x80 != 0
    guard !opcode.isControl || isFinal && short < 126 else {
      throw .violation(reason: "a control frame is fragmented or has more than 125 bytes")
    }
    let extra = short == 126 ? 2 : short == 127 ? 8 : 0
    let isMasked = bytes[1] & 0x80 != 0
    guard bytes.count == 2 + extra + (isMasked ? 4 : 0) else { return nil }
    let length = extra == 0 ? UInt64(short) : bytes[2..<2 + extra].reduce(0) { $0 << 8 | UInt64($1) }
    guard length <= UInt64(Int.max) else { throw .violation(reason: "the length of a frame has its highest bit set") }
    guard extra == 0 || length > (extra == 2 ? 125 : 65_535) else {
      throw .violation(reason: "the length of a frame is not in its shortest form")
    }
    return WebSocketFrame(
      isFinal: isFinal, isCompressed: bytes[0] & 0x40 != 0, opcode, length: Int(length),
      mask: isMasked ? bytes.suffix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) } : nil)
  }
}
