/// A scalar that containers write without knowing its kind.
protocol JSONEncodedScalar: Encodable {
  /// - Parameter path: Returns the path of the value, for an error.
  func write(_ state: EncodingState, _ path: () -> [any CodingKey]) throws
}

extension Bool: JSONEncodedScalar {
  @inline(__always) func write(_ state: EncodingState, _ path: () -> [any CodingKey]) { state.writer.append(self) }
}

extension String: JSONEncodedScalar {
  @inline(__always) func write(_ state: EncodingState, _ path: () -> [any CodingKey]) {
    state.writer.append(self, escapesSlashes: state.shared.escapesSlashes)
  }
}

extension JSONEncodedScalar where Self: FixedWidthInteger {
  @inline(__always) func write(_ state: EncodingState, _ path: () -> [any CodingKey]) { state.writer.append(self) }
}

extension JSONEncodedScalar where Self: BinaryFloatingPoint & LosslessStringConvertible {
  @inline(__always) func write(_ state: EncodingState, _ path: () -> [any CodingKey]) throws {
    try state.encode(self, path)
  }
}

extension Double: JSONEncodedScalar {}
extension Float: JSONEncodedScalar {}
extension Int: JSONEncodedScalar {}
extension Int8: JSONEncodedScalar {}
extension Int16: JSONEncodedScalar {}
extension Int32: JSONEncodedScalar {}
extension Int64: JSONEncodedScalar {}
extension Int128: JSONEncodedScalar {}
extension UInt: JSONEncodedScalar {}
extension UInt8: JSONEncodedScalar {}
extension UInt16: JSONEncodedScalar {}
extension UInt32: JSONEncodedScalar {}
extension UInt64: JSONEncodedScalar {}
extension UInt128: JSONEncodedScalar {}
