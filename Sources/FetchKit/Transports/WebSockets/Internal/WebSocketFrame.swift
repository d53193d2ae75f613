package import Foundation

/// The header of a frame (RFC 6455 §5.2).
package struct WebSocketFrame: Sendable, Equatable {
  package enum Opcode: UInt8, Sendable {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10

    package var isControl: Bool { rawValue >= 8 }
  }

  package var isFinal = true
  /// RSV1: the message that begins with this frame is compressed.
  package var isCompressed = false
  package var opcode: Opcode
  package var length: Int
  /// The four bytes of the mask, the first one lowest; nil if the payload is not masked.
  package var mask: UInt32?

  package init(isFinal: Bool = true, isCompressed: Bool = false, _ opcode: Opcode, length: Int, mask: UInt32? = nil) {
    self.isFinal = isFinal
    self.isCompressed = isCompressed
    self.opcode = opcode
    self.length = length
    self.mask = mask
  }

  /// Appends the frame: its header, and the payload, masked if the header has a mask.
  package func append(_ payload: some ContiguousBytes, to output: inout Data) {
    output.append((isFinal ? 0x80 : 0) | (isCompressed ? 0x40 : 0) | opcode.rawValue)
    let bit: UInt8 = mask == nil ? 0 : 0x80
    switch length {
    case ..<126: output.append(bit | UInt8(length))
    case ..<65_536:
      output.append(bit | 126)
      withUnsafeBytes(of: UInt16(length).bigEndian) { output.append(contentsOf: $0) }
    default:
      output.append(bit | 127)
      withUnsafeBytes(of: UInt64(length).bigEndian) { output.append(contentsOf: $0) }
    }
    if let mask { withUnsafeBytes(of: mask.littleEndian) { output.append(contentsOf: $0) } }
    let start = output.count
    payload.withUnsafeBytes { output.append(contentsOf: $0) }
    guard let mask else { return }
    output.withUnsafeMutableBytes {
      Self.apply(mask, at: 0, to: UnsafeMutableRawBufferPointer(rebasing: $0[start...]))
    }
  }

  /// Masks or unmasks bytes, the first of which has this offset in the payload (RFC 6455 §5.3).
  package static func apply(_ mask: UInt32, at offset: Int, to bytes: UnsafeMutableRawBufferPointer) {
    let shift = UInt32(offset % 4 * 8)
    let turned = shift == 0 ? mask : mask >> shift | mask << (32 - shift)
    let wide = (UInt64(turned) | UInt64(turned) << 32).littleEndian
    var index = 0
    while index + 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      bytes.storeBytes(of: word ^ wide, toByteOffset: index, as: UInt64.self)
      index += 8
    }
    while index < bytes.count {
      bytes[index] ^= UInt8(truncatingIfNeeded: turned >> UInt32(index % 4 * 8))
      index += 1
    }
  }
}
