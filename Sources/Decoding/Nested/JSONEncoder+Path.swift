public import Foundation

extension JSONEncoder {
  /// Encodes a value inside the objects that a path names, and nothing else in them.
  ///
  /// ```swift
  /// let body = try JSONEncoder().encode(["title": "Emma"], at: "data.attributes")
  /// ```
  ///
  /// The path has the document's own names, whatever the encoder's strategy for keys. For several values in one
  /// document there is ``NestedEncoder``.
  ///
  /// - Throws: `EncodingError.invalidValue` for a path that does not consist of names and indices, or that has another
  ///   index than 0; and what encoding the value throws.
  public func encode<T: Encodable>(_ value: T, at path: JSONPath) throws -> Data {
    try path.enclosing(value) { try encode(value) }
  }
}

extension JSONBytesEncoder {
  /// Encodes a value inside the objects that a path names, as `JSONEncoder` does by this module.
  ///
  /// - Throws: `EncodingError.invalidValue` for a path that does not consist of names and indices, or that has another
  ///   index than 0; and what encoding the value throws.
  public func encode<T: Encodable>(_ value: T, at path: JSONPath) throws -> Data {
    try path.enclosing(value) { try encode(value) }
  }
}

extension JSONPath {
  /// A document with the encoded value inside of what the path names.
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
        throw EncodingError.invalidValue(
          value, EncodingError.Context(codingPath: [], debugDescription: "\(self) leaves elements of an array out."))
      }
    }
    return head + (try encode()) + tail
  }
}

extension JSONPath {
  /// The steps to the one place that the path names, for a value that is to be encoded there.
  func stepsToEncode(_ value: Any, codingPath: [any CodingKey]) throws -> [PathStep] {
    if let steps = compiled.steps { return steps }
    let reason = compiled.error.map { "\($0)" } ?? "\(self) does not say where a value goes: names and indices do."
    throw EncodingError.invalidValue(
      value,
      EncodingError.Context(codingPath: codingPath, debugDescription: reason, underlyingError: compiled.error))
  }
}
