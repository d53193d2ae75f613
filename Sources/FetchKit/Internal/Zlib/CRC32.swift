internal import CLarderZlib
internal import Foundation

/// The CRC-32 of IEEE 802.3, which detects every error that is confined to 32 consecutive bits.
enum CRC32 {
  /// - Parameter before: The checksum of the preceding bytes.
  static func checksum(_ bytes: some ContiguousBytes, after before: UInt32 = 0) -> UInt32 {
    bytes.withUnsafeBytes { bytes in
      // Without a pointer, zlib would return the checksum of no bytes at all.
      guard let start = bytes.bindMemory(to: Bytef.self).baseAddress else { return before }
      return UInt32(crc32_z(uLong(before), start, numericCast(bytes.count)))
    }
  }
}
