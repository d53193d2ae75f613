/// The cyclic redundancy check of IEEE 802.3: finds every error that is confined to 32 bits in a row.
enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
  }

  static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    ~bytes.reduce(~0) { value, byte in table[Int((value ^ UInt32(byte)) & 0xFF)] ^ value >> 8 }
  }
}
