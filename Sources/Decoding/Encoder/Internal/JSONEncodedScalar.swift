/// A scalar that containers write without knowing its kind.
protocol JSONEncodedScalar: Encodable {
  /// - Parameter path: Returns the path of the value, for an error.
  func write(_ state: EncodingState, _ path: () -> [any CodingKey]) throws
}

extension Bool {
  @inline(__always) func write(_ state: EncodingState, _ path: () -> [any CodingKey]) { state.writer.append(self) }
}

extension String {
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
