/// Reads the format of ``BinaryWriter``. It never reads past the end, even if the bytes are corrupt.
struct BinaryReader {
  struct Malformed: Error {}

  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func number() throws(Malformed) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard let byte = rest.popFirst(), shift < 63 || byte <= 1 else { throw Malformed() }
      value |= UInt64(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return value }
    }
    throw Malformed()
  }

  mutating func signed() throws(Malformed) -> Int64 {
    Int64(bitPattern: try number())
  }

  mutating func block() throws(Malformed) -> [UInt8] {
    let count = try number()
    guard count <= UInt64(rest.count) else { throw Malformed() }
    defer { rest = rest.dropFirst(Int(count)) }
    return Array(rest.prefix(Int(count)))
  }

  mutating func text() throws(Malformed) -> String {
    guard let text = String(validating: try block(), as: UTF8.self) else { throw Malformed() }
    return text
  }

  mutating func optional<Value>(
    _ body: (inout BinaryReader) throws(Malformed) -> Value
  ) throws(Malformed) -> Value? {
    switch try number() {
    case 0: nil
    case 1: try body(&self)
    default: throw Malformed()
    }
  }

  mutating func list<Value>(
    _ body: (inout BinaryReader) throws(Malformed) -> Value
  ) throws(Malformed) -> [Value] {
    let count = try number()
    // Every element has at least one byte.
    guard count <= UInt64(rest.count) else { throw Malformed() }
    var values: [Value] = []
    for _ in 0..<count { values.append(try body(&self)) }
    return values
  }
}
