/// The bytes of a journal: frames, each a group of entries that count together or not at all.
///
///     marker "LDJF" | length of the payload, 4 bytes | CRC-32 of length and payload, 4 bytes | payload
///
/// All numbers are little-endian. What is cut off or damaged is found by the checksum; reading goes on at the next
/// frame that is whole.
enum JournalFrames {
  struct Reading: Equatable {
    var state = JournalState()
    /// How many bytes in between or at the end belong to no whole frame.
    var damagedBytes = 0
    var tornBytes = 0
  }

  static let headerBytes = 12
  private static let marker: [UInt8] = Array("LDJF".utf8)

  static func frame(_ entries: [JournalEntry]) -> [UInt8] {
    var writer = JournalWriter()
    for entry in entries { entry.write(to: &writer) }
    let length = littleEndian(UInt32(truncatingIfNeeded: writer.bytes.count))
    return marker + length + littleEndian(CRC32.checksum(length + writer.bytes)) + writer.bytes
  }

  /// The whole journal anew, a frame per entry, so that damage later on costs as little as possible.
  static func frames(of state: JournalState) -> [UInt8] {
    state.entries.flatMap { frame([$0]) }
  }

  static func read(_ bytes: [UInt8]) -> Reading {
    var reading = Reading()
    var offset = 0
    var lost = 0
    while offset < bytes.count {
      guard let (entries, end) = wholeFrame(in: bytes, at: offset) else {
        offset += 1
        lost += 1
        continue
      }
      for entry in entries { reading.state.apply(entry) }
      reading.damagedBytes += lost
      lost = 0
      offset = end
    }
    reading.tornBytes = lost
    return reading
  }

  private static func wholeFrame(in bytes: [UInt8], at offset: Int) -> ([JournalEntry], end: Int)? {
    guard bytes.count - offset >= headerBytes, bytes[offset..<offset + 4].elementsEqual(marker) else { return nil }
    let length = Int(number(bytes[(offset + 4)..<(offset + 8)]))
    let start = offset + headerBytes
    guard length <= bytes.count - start else { return nil }
    let payload = bytes[start..<start + length]
    let checksum = number(bytes[(offset + 8)..<start])
    guard CRC32.checksum(bytes[(offset + 4)..<(offset + 8)] + payload) == checksum else { return nil }
    var reader = JournalReader(payload)
    var entries: [JournalEntry] = []
    do {
      while !reader.isAtEnd { entries.append(try JournalEntry(from: &reader)) }
    } catch {
      return nil
    }
    return (entries, start + length)
  }

  private static func littleEndian(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * UInt32($0))) }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}
