/// SHA-256 by FIPS 180-4, for digests of bodies, URLs and public keys, and for cache keys. It is not used for
/// signatures or encryption.
struct SHA256 {
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]
  private var pending: [UInt8] = []
  private var count: UInt64 = 0

  /// Returns the digest of the bytes as 64 lowercase hexadecimal digits.
  static func hexDigest(of bytes: some Sequence<UInt8>) -> String {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finish()
  }

  init() {
    pending.reserveCapacity(64)
  }

  mutating func update(_ bytes: some Sequence<UInt8>) {
    if bytes.withContiguousStorageIfAvailable({ update($0) }) == nil {
      Array(bytes).withUnsafeBufferPointer { update($0) }
    }
  }

  /// Pads and returns the digest. The hash cannot be used afterward.
  mutating func finish() -> String {
    let bits = count &* 8
    pending.append(0x80)
    while pending.count % 64 != 56 { pending.append(0) }
    for shift in stride(from: 56, through: 0, by: -8) {
      pending.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
    }
    let tail = pending
    tail.withUnsafeBufferPointer { tail in
      for start in stride(from: 0, to: tail.count, by: 64) { compress(tail, from: start) }
    }
    let digits = Array("0123456789abcdef".utf8)
    let text = state.flatMap { word in
      stride(from: UInt32(28), through: 0, by: -4).map { digits[Int((word >> $0) & 0xF)] }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func update(_ bytes: UnsafeBufferPointer<UInt8>) {
    count &+= UInt64(bytes.count)
    var start = 0
    if !pending.isEmpty {
      start = min(64 - pending.count, bytes.count)
      pending.append(contentsOf: bytes[..<start])
      guard pending.count == 64 else { return }
      let block = pending
      block.withUnsafeBufferPointer { compress($0, from: 0) }
      pending.removeAll(keepingCapacity: true)
    }
    while bytes.count - start >= 64 {
      compress(bytes, from: start)
      start += 64
    }
    pending.append(contentsOf: bytes[start...])
  }

  /// Processes the 64 bytes from `start` (FIPS 180-4 §6.2.2).
  ///
  /// Buffers avoid the bounds checks of arrays, which take half of the time. Every index is a constant or a loop
  /// variable below 64.
  private mutating func compress(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
      Self.constants.withUnsafeBufferPointer { constants in
        Self.compress(bytes, from: start, schedule: schedule, constants: constants, &state)
      }
    }
  }

  private static func compress(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, schedule: UnsafeMutableBufferPointer<UInt32>,
    constants: UnsafeBufferPointer<UInt32>, _ state: inout [UInt32]
  ) {
    for index in 0..<16 {
      let byte = start + index * 4
      let high = UInt32(bytes[byte]) << 24 | UInt32(bytes[byte + 1]) << 16
      schedule[index] = high | UInt32(bytes[byte + 2]) << 8 | UInt32(bytes[byte + 3])
    }
    for index in 16..<64 {
      let (early, late) = (schedule[index - 15], schedule[index - 2])
      let small = rotate(early, 7) ^ rotate(early, 18) ^ (early >> 3)
      let large = rotate(late, 17) ^ rotate(late, 19) ^ (late >> 10)
      schedule[index] = schedule[index - 16] &+ small &+ schedule[index - 7] &+ large
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<64 {
      let large = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
      let first = h &+ large &+ ((e & f) ^ (~e & g)) &+ constants[index] &+ schedule[index]
      let small = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
      let second = small &+ ((a & b) ^ (a & c) ^ (b & c))
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ second)
    }
    state[0] &+= a
    state[1] &+= b
    state[2] &+= c
    state[3] &+= d
    state[4] &+= e
    state[5] &+= f
    state[6] &+= g
    state[7] &+= h
  }

  private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word &>> count | word &<< (32 &- count)
  }

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (§4.2.2).
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}
