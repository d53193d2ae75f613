internal import Foundation

/// The CRC-32 of IEEE 802.3, which detects every error that is confined to 32 consecutive bits.
enum CRC32 {
  /// Eight tables in a row, so that eight bytes are processed at a time.
  private static let tables: [UInt32] = {
    var tables: [UInt32] = []
    for index in 0..<256 {
      var value = UInt32(index)
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
      tables.append(value)
    }
    for index in 256..<(8 * 256) {
      let before = tables[index - 256]
      tables.append(before >> 8 ^ tables[Int(before & 0xFF)])
    }
    return tables
  }()

  /// - Parameter before: The checksum of the preceding bytes.
  static func checksum(_ bytes: some ContiguousBytes, after before: UInt32 = 0) -> UInt32 {
    bytes.withUnsafeBytes { bytes in
      tables.withUnsafeBufferPointer { tables in
        var value = ~before
        var index = 0
        while bytes.count - index >= 8 {
          let low = value ^ UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self))
          let high = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: index + 4, as: UInt32.self))
          value = 0
          for byte in 0..<4 {
            let shift = UInt32(8 * byte)
            value ^= tables[(7 - byte) * 256 + Int(low >> shift & 0xFF)]
            value ^= tables[(3 - byte) * 256 + Int(high >> shift & 0xFF)]
          }
          index += 8
        }
        for byte in bytes[index...] { value = tables[Int((value ^ UInt32(byte)) & 0xFF)] ^ value >> 8 }
        return ~value
      }
    }
  }
}
