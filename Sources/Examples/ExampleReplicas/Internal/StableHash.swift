import Foundation

/// 64-bit FNV-1a with a final mix, so that any few bits can be used for a choice. It is the same in every process,
/// unlike the randomly seeded `Hasher`.
func stableHash(_ parts: String...) -> UInt64 {
  var hash = StableHash()
  for part in parts {
    hash.add(part.utf8)
    hash.add(CollectionOfOne(0xff))
  }
  return hash.value
}

func stableHash(_ bytes: Data) -> UInt64 {
  var hash = StableHash()
  hash.add(bytes)
  return hash.value
}

private struct StableHash {
  private var state: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { state = (state ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }

  /// The final step of SplitMix64.
  var value: UInt64 {
    var value = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
    return value ^ value >> 31
  }
}
