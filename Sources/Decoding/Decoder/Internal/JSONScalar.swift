/// A type that is read directly from one JSON value.
protocol JSONScalar: Decodable {
  /// Reads the value; nil if it is of another kind, does not fit, or a fault was recorded.
  static func read(_ scanner: JSONScanner, _ value: UInt32) -> Self?

  /// Reads a member's value in the same way.
  static func read(_ scanner: JSONScanner, _ member: KeyEntry) -> Self?
}

extension JSONScalar {
  @inline(__always)
  static func read(_ scanner: JSONScanner, _ member: KeyEntry) -> Self? { read(scanner, member.value) }
}

extension JSONScalar where Self: FixedWidthInteger {
  @inline(__always)
  static func read(_ scanner: JSONScanner, _ value: UInt32) -> Self? { scanner.integer(value, as: Self.self) }
}

extension Int: JSONScalar, JSONEncodedScalar {}
extension Int8: JSONScalar, JSONEncodedScalar {}
extension Int16: JSONScalar, JSONEncodedScalar {}
extension Int32: JSONScalar, JSONEncodedScalar {}
extension Int64: JSONScalar, JSONEncodedScalar {}
extension UInt: JSONScalar, JSONEncodedScalar {}
extension UInt8: JSONScalar, JSONEncodedScalar {}
extension UInt16: JSONScalar, JSONEncodedScalar {}
extension UInt32: JSONScalar, JSONEncodedScalar {}
extension UInt64: JSONScalar, JSONEncodedScalar {}

extension Int128: JSONScalar, JSONEncodedScalar {
  static func read(_ scanner: JSONScanner, _ value: UInt32) -> Int128? { scanner.wideInteger(value, as: Int128.self) }
}

extension UInt128: JSONScalar, JSONEncodedScalar {
  static func read(_ scanner: JSONScanner, _ value: UInt32) -> UInt128? { scanner.wideInteger(value, as: UInt128.self) }
}

extension Bool: JSONScalar, JSONEncodedScalar {
  @inline(__always)
  static func read(_ scanner: JSONScanner, _ value: UInt32) -> Bool? { scanner.boolean(value) }
}

extension Double: JSONScalar, JSONEncodedScalar {
  @inline(__always)
  static func read(_ scanner: JSONScanner, _ value: UInt32) -> Double? { scanner.double(value) }
}

extension Float: JSONScalar, JSONEncodedScalar {
  @inline(__always)
  static func read(_ scanner: JSONScanner, _ value: UInt32) -> Float? { scanner.float(value) }
}

extension String: JSONScalar, JSONEncodedScalar {
  @inline(__always)
  static func read(_ scanner: JSONScanner, _ value: UInt32) -> String? { scanner.string(value) }

  @inline(__always)
  static func read(_ scanner: JSONScanner, _ member: KeyEntry) -> String? { scanner.string(member) }
}
