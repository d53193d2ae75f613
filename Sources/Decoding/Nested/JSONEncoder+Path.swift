public import Foundation

extension JSONEncoder {
  /// Encodes a document that contains only the given value, at the given path.
  ///
  /// ```swift
  /// let body = try JSONEncoder().encode(["title": "Emma"], at: "data.attributes")
  /// ```
  ///
  /// The names in the path are written to the document unchanged, regardless of the encoder's key strategy. To encode
  /// several values in one document, use ``NestedEncoder``.
  ///
  /// - Throws: `EncodingError.invalidValue` if the path contains anything other than names and the index 0, and any
  ///   error thrown while encoding the value.
  public func encode<T: Encodable>(_ value: T, at path: JSONPath) throws -> Data {
    try path.enclosing(value) { try encode(value) }
  }
}

extension JSONBytesEncoder {
  /// Encodes a document that contains only the given value, at the given path. The method behaves like the method that
  /// this module adds to `JSONEncoder`.
  ///
  /// - Throws: `EncodingError.invalidValue` if the path contains anything other than names and the index 0, and any
  ///   error thrown while encoding the value.
  public func encode<T: Encodable>(_ value: T, at path: JSONPath) throws -> Data {
    try path.enclosing(value) { try encode(value) }
  }
}

extension JSONPath {
  /// Returns a document with the encoded value at the path.
  fileprivate func enclosing(_ value: Any, _ encode: () throws -> Data) throws -> Data {
    var head = Data()
    var tail = Data()
    for step in try stepsToEncode(value, codingPath: []) {
      switch step {
      case .name(let name):
        head += Data("{".utf8) + (try JSONBytesEncoder().encode(name.text)) + Data(":".utf8)
        tail.insert(UInt8(ascii: "}"), at: 0)
      case .index(0):
        head += Data("[".utf8)
        tail.insert(UInt8(ascii: "]"), at: 0)
      case .index:
        throw EncodingError.invalid(value, at: [], "\(self) skips elements of an array.")
      }
    }
    return head + (try encode()) + tail
  }

  /// Returns the steps of the path at which the value is to be encoded.
  func stepsToEncode(_ value: Any, codingPath: @autoclosure () -> [any CodingKey]) throws -> [PathStep] {
    if let steps = compiled.steps { return steps }
    let reason = compiled.error.map { "\($0)" } ?? "\(self) cannot be used for encoding; use only names and indices."
    throw EncodingError.invalid(value, at: codingPath(), reason, compiled.error)
  }
}
