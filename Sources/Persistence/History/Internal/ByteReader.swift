internal import Foundation

/// Reads encoded values from bytes that may be corrupt.
struct ByteReader {
  struct Malformed: Error {}

  private let bytes: [UInt8]
  private var position = 0

  init(_ data: Data) { bytes = [UInt8](data) }

  var isAtEnd: Bool { position == bytes.count }

  mutating func byte() throws(Malformed) -> UInt8 {
    guard position < bytes.count else { throw Malformed() }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func number() throws(Malformed) -> UInt64 {
    var result: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = try byte()
      guard shift < 63 || byte <= 1 else { throw Malformed() }
      result |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return result }
      shift += 7
    }
  }

  mutating func signed() throws(Malformed) -> Int64 {
    let number = try number()
    return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
  }

  /// Reads the number of items that follow. Each item has at least one byte.
  mutating func count() throws(Malformed) -> Int {
    let number = try number()
    guard number <= UInt64(bytes.count - position) else { throw Malformed() }
    return Int(number)
  }

  mutating func data(_ count: Int) throws(Malformed) -> ArraySlice<UInt8> {
    guard count <= bytes.count - position else { throw Malformed() }
    defer { position += count }
    return bytes[position..<position + count]
  }

  mutating func text() throws(Malformed) -> String {
    let count = try count()
    return String(decoding: try data(count), as: UTF8.self)
  }

  mutating func value() throws(Malformed) -> StoredValue {
    switch try byte() {
    case 0: return .null
    case 1: return .integer(try signed())
    case 2:
      let bits = try data(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return .real(Double(bitPattern: bits))
    case 3: return .text(try text())
    case 4:
      let count = try count()
      return .blob(Data(try data(count)))
    default: throw Malformed()
    }
  }
}
