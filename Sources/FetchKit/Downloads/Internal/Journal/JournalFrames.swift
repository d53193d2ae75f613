/// The binary format of a journal: a sequence of frames, each a group of entries that apply together or not at all.
///
///     marker "LDJF" | length of the payload, 4 bytes | CRC-32, 4 bytes | payload
///
/// All numbers are little-endian. The checksum covers the payload, with the payload's length as the initial value. It
/// detects truncated and corrupt frames; reading continues at the next intact frame.
enum JournalFrames {
  struct Reading: Equatable {
    var state = JournalState()
    /// The number of bytes, between frames or at the end, that belong to no intact frame.
    var corruptBytes = 0
    var tornBytes = 0
  }

  static let headerBytes = 12
  private static let marker: [UInt8] = Array("LDJF".utf8)

  static func frame(_ entries: [JournalEntry]) -> [UInt8] {
    var writer = BinaryWriter()
    for entry in entries { writer.write(entry) }
    let payload = writer.bytes
    let length = UInt32(truncatingIfNeeded: payload.count)
    return marker + length.littleEndianBytes + checksum(of: payload[...]).littleEndianBytes + payload
  }

  /// The whole journal rewritten with one frame per entry, so that later corruption loses as little as possible.
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
      reading.corruptBytes += lost
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
    guard checksum(of: payload) == number(bytes[(offset + 8)..<start]) else { return nil }
    var reader = BinaryReader(payload)
    var entries: [JournalEntry] = []
    do {
      while !reader.isAtEnd { entries.append(try JournalEntry(from: &reader)) }
    } catch {
      return nil
    }
    return (entries, start + length)
  }

  private static func checksum(of payload: ArraySlice<UInt8>) -> UInt32 {
    CRC32.checksum(payload, after: UInt32(truncatingIfNeeded: payload.count))
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}
