/// Writes values as bytes: numbers in groups of seven bits, and all other values with a length prefix.
struct BinaryWriter {
  var bytes: [UInt8] = []

  init() {
    bytes.reserveCapacity(256)
  }

  mutating func write<each Value: BinaryWritable>(_ values: repeat each Value) {
    repeat (each values).write(to: &self)
  }
}

/// A value with a form in bytes, which a ``BinaryReader`` reads.
protocol BinaryWritable {
  func write(to writer: inout BinaryWriter)
}

extension UInt64: BinaryWritable {
  func write(to writer: inout BinaryWriter) {
    var rest = self
    while rest > 0x7F {
      writer.bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    writer.bytes.append(UInt8(rest))
  }
}

extension Int64: BinaryWritable {
  func write(to writer: inout BinaryWriter) { writer.write(UInt64(bitPattern: self)) }
}

extension Int: BinaryWritable {
  func write(to writer: inout BinaryWriter) { writer.write(Int64(self)) }
}

extension String: BinaryWritable {
  func write(to writer: inout BinaryWriter) {
    writer.write(utf8.count)
    writer.bytes.append(contentsOf: utf8)
  }
}

extension Optional: BinaryWritable where Wrapped: BinaryWritable {
  func write(to writer: inout BinaryWriter) {
    writer.write(self == nil ? 0 : 1)
    if let self { writer.write(self) }
  }
}

extension Array: BinaryWritable where Element: BinaryWritable {
  func write(to writer: inout BinaryWriter) {
    writer.write(count)
    for element in self { writer.write(element) }
  }
}

extension FixedWidthInteger {
  var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }
}
