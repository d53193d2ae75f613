/// Writes values as bytes: numbers in groups of seven bits, and all other values with a length prefix.
struct BinaryWriter {
  private(set) var bytes: [UInt8]

  /// - Parameter header: The number of leading bytes to leave free for the caller.
  init(reserving header: Int = 0) {
    bytes = []
    bytes.reserveCapacity(256)
    bytes.append(contentsOf: repeatElement(0, count: header))
  }

  mutating func write(_ number: UInt64) {
    var rest = number
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func write(_ number: Int64) {
    write(UInt64(bitPattern: number))
  }

  mutating func write(_ text: String) {
    write(UInt64(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  mutating func write(_ block: [UInt8]) {
    write(UInt64(block.count))
    bytes += block
  }

  mutating func write<Value>(_ value: Value?, _ body: (inout BinaryWriter, Value) -> Void) {
    write(value == nil ? 0 : 1 as UInt64)
    if let value { body(&self, value) }
  }

  mutating func write<Value>(_ values: [Value], _ body: (inout BinaryWriter, Value) -> Void) {
    write(UInt64(values.count))
    for value in values { body(&self, value) }
  }
}
