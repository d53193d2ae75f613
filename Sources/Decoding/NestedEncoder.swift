/// Encodes values to anywhere below the place that an encoder writes to, by path.
///
/// ```swift
/// func encode(to encoder: any Encoder) throws {
///   let json = encoder.nested()
///   try json.encode(title, at: "volumeInfo.title")
///   try json.encodeIfPresent(publisher, at: "volumeInfo.publisher")
/// }
/// ```
///
/// It is the mirror of ``NestedDecoder``, and works on any `Encoder`. The objects and arrays on the way are made when
/// the first value needs them, and the same ones take the next values, whatever the order of the calls. Names are
/// written as the encoder's key strategy has them.
///
/// A path says where a value goes by names and indices: `authors[0].name`. Elements of an array are written in their
/// order, as encoders do it: an index is that of an element that was written by path before, or the next one.
///
/// Use it in the `encode(to:)` that asked for it and nowhere else. It is not `Sendable`.
public struct NestedEncoder {
  let root: EncodingNode

  /// The path of the value that the paths start from, as the encoder has it.
  public let codingPath: [any CodingKey]

  init(_ encoder: any Encoder) {
    root = EncodingNode(.root(encoder))
    codingPath = encoder.codingPath
  }

  /// Encodes a value at a path; nil is encoded as null.
  ///
  /// - Throws: `EncodingError.invalidValue` for a path that does not consist of names and indices, for an index that
  ///   leaves elements out, where a value was encoded already, there or on the way, for a name in an array or an
  ///   index in an object, and for a name that equals one before in Swift but not in its bytes (`é` in two Unicode
  ///   forms), since most encoders keep one of the two. Nothing was written then. And what encoding the value throws.
  public func encode<T: Encodable>(_ value: T, at path: JSONPath) throws {
    let steps = try path.stepsToEncode(value, codingPath: codingPath)
    try root.node(at: steps, for: value).encode(value)
  }

  /// Encodes a value at a path, unless it is nil.
  ///
  /// Where all values are nil an empty object is encoded, or an empty array if the last path begins with an index.
  ///
  /// - Throws: `EncodingError.invalidValue` as ``encode(_:at:)``, for a wrong path also if the value is nil.
  public func encodeIfPresent<T: Encodable>(_ value: T?, at path: JSONPath) throws {
    let steps = try path.stepsToEncode(value as Any, codingPath: codingPath)
    if let value {
      try root.node(at: steps, for: value).encode(value)
    } else {
      root.expect(steps.first)
    }
  }
}

extension Encoder {
  /// Opens the place that the encoder writes to for encoding by path.
  public func nested() -> NestedEncoder { NestedEncoder(self) }
}
