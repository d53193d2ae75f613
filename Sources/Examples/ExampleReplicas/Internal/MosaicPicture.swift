import Foundation

/// A small JPEG of colored squares, generated from a text. Each text has its own picture, which is the same in every
/// process.
///
/// Each square is one block of 8 by 8 pixels, of which only the mean is coded (ITU-T T.81, baseline, sequential). This
/// needs neither a cosine transform nor long tables.
struct MosaicPicture {
  private static let block = 8

  private let columns: Int
  private let rows: Int
  private let seed: String

  /// - Parameters:
  ///   - text: The text from which the picture is generated.
  ///   - columns: The number of squares per row.
  ///   - rows: The number of rows.
  init(of text: String, columns: Int, rows: Int) {
    seed = text
    self.columns = columns
    self.rows = rows
  }

  var jpeg: Data {
    var data = Data([0xFF, 0xD8])
    append(0xE0, [0x4A, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0], to: &data)
    // With a quantization step of 8, the coded number is the mean itself, because the transform multiplies it by 8.
    append(0xDB, [0] + [UInt8](repeating: 8, count: 64), to: &data)
    let size = [rows, columns].flatMap { side in
      let pixels = side * Self.block
      return [UInt8(pixels >> 8), UInt8(pixels & 0xFF)]
    }
    append(0xC0, [8] + size + [3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0], to: &data)
    // Means: nine lengths in bits, from 0 to 8. The 4-bit code of each length is the length itself.
    append(0xC4, [0x00] + [0, 0, 0, 9] + [UInt8](repeating: 0, count: 12) + Array(0...8), to: &data)
    // Details: only the end of the block, with a 1-bit code.
    append(0xC4, [0x10] + [1] + [UInt8](repeating: 0, count: 15) + [0], to: &data)
    append(0xDA, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0], to: &data)
    data.append(scan)
    data.append(contentsOf: [0xFF, 0xD9])
    return data
  }

  private var scan: Data {
    var bits = BitWriter()
    var before = [0, 0, 0]
    let base = stableHash(seed)
    for row in 0..<rows {
      for column in 0..<columns {
        // The top is brighter, the hue shifts from corner to corner, and every square differs slightly.
        let wobble = stableHash(seed, "\(row)/\(column)")
        let light = 60 - 90 * row / max(1, rows) + Int(wobble % 40)
        let blue = Int(base % 120) - 60 + 40 * column / max(1, columns)
        let red = Int(base / 120 % 120) - 60 + 40 * row / max(1, rows)
        for (component, mean) in [light, blue, red].enumerated() {
          bits.append(difference: mean - before[component])
          bits.append(0, count: 1)
          before[component] = mean
        }
      }
    }
    return bits.finished()
  }

  private func append(_ marker: UInt8, _ content: [UInt8], to data: inout Data) {
    let length = content.count + 2
    data.append(contentsOf: [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)])
    data.append(contentsOf: content)
  }
}

private struct BitWriter {
  private var data = Data()
  private var byte: UInt8 = 0
  private var used = 0

  /// Writes the length of the number in bits, then the number. Negative numbers are reduced by one, as the format
  /// requires.
  mutating func append(difference: Int) {
    let length = Int.bitWidth - abs(difference).leadingZeroBitCount
    append(length, count: 4)
    append(difference < 0 ? difference - 1 : difference, count: length)
  }

  mutating func append(_ value: Int, count: Int) {
    for shift in stride(from: count - 1, through: 0, by: -1) {
      byte = byte << 1 | UInt8(value >> shift & 1)
      used += 1
      if used == 8 { flush() }
    }
  }

  mutating func finished() -> Data {
    while used > 0 { append(1, count: 1) }
    return data
  }

  private mutating func flush() {
    data.append(byte)
    // A byte of ones would be read as a marker.
    if byte == 0xFF { data.append(0) }
    (byte, used) = (0, 0)
  }
}
