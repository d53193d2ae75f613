internal import Foundation

/// A minimal gzip encoder (RFC 1952) for the server, which writes stored blocks, and zeros in fixed Huffman codes.
enum Gzip {
  private static let header = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF])

  /// Returns the data in stored blocks, which are valid gzip without compression.
  static func stored(_ data: Data) -> Data {
    var result = header
    var rest = data
    repeat {
      let block = rest.prefix(0xFFFF)
      rest = rest.dropFirst(block.count)
      let length = UInt16(block.count)
      result.append(rest.isEmpty ? 1 : 0)
      append(length, to: &result)
      append(~length, to: &result)
      result += block
    } while !rest.isEmpty
    append(checksum(data), to: &result)
    append(UInt32(truncatingIfNeeded: data.count), to: &result)
    return result
  }

  /// Returns compressed zeros, 13 bits per 258 zeros. The checksum is wrong, which does not matter, because a client
  /// that reads that far has already failed.
  static func zeros(_ count: Int) -> Data {
    var result = header
    var bits: UInt64 = 0
    var used = 0
    func put(_ code: UInt64, _ length: Int) {
      bits |= code << UInt64(used)
      used += length
      while used >= 8 {
        result.append(UInt8(truncatingIfNeeded: bits))
        bits >>= 8
        used -= 8
      }
    }
    put(0b1, 1)  // the last block
    put(0b01, 2)  // fixed codes
    put(0b0000_1100, 8)  // the literal 0: 00110000, sent from its highest bit
    for _ in 0..<(max(0, count - 1) / 258) {
      put(0b1010_0011, 8)  // length 258: 11000101, sent from its highest bit
      put(0, 5)  // distance 1
    }
    for _ in 0..<(max(0, count - 1) % 258) { put(0b0000_1100, 8) }
    put(0, 7)  // the end
    if used > 0 { put(0, 8 - used) }
    append(UInt32(0), to: &result)
    append(UInt32(truncatingIfNeeded: count), to: &result)
    return result
  }

  private static func append(_ value: some FixedWidthInteger, to data: inout Data) {
    withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
  }

  private static func checksum(_ data: Data) -> UInt32 {
    var crc = ~UInt32(0)
    for byte in data {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? (crc >> 1) ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
  }
}
