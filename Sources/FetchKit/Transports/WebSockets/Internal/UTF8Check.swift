/// Checks text that arrives in pieces, and finds the first byte with which it cannot become UTF-8 (Unicode, table 3-7).
struct UTF8Check {
  /// The continuation bytes that are missing.
  private var missing = 0
  /// What the next of them can be.
  private var range: ClosedRange<UInt8> = 0x80...0xBF

  /// Whether no character is cut off.
  var isComplete: Bool { missing == 0 }

  /// Returns false if the text so far cannot become UTF-8.
  mutating func accept(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    while index < bytes.count {
      if missing == 0 {
        while index + 8 <= bytes.count,
          bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
        {
          index += 8
        }
        guard index < bytes.count else { return true }
      }
      guard accept(bytes[index]) else { return false }
      index += 1
    }
    return true
  }

  private mutating func accept(_ byte: UInt8) -> Bool {
    if missing > 0 {
      guard range.contains(byte) else { return false }
      missing -= 1
      range = 0x80...0xBF
      return true
    }
    switch byte {
    case ..<0x80: return true
    case 0xC2...0xDF: missing = 1
    case 0xE0: (missing, range) = (2, 0xA0...0xBF)
    case 0xED: (missing, range) = (2, 0x80...0x9F)
    case 0xE1...0xEF: missing = 2
    case 0xF0: (missing, range) = (3, 0x90...0xBF)
    case 0xF1...0xF3: missing = 3
    case 0xF4: (missing, range) = (3, 0x80...0x8F)
    default: return false
    }
    return true
  }
}
