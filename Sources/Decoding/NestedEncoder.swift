/// Encodes values by path, at any depth inside the value that is being encoded.
///
/// ```swift
/// func encode(to encoder: any Encoder) throws {
///   let json = encoder.nested()
///   try json.encode(title, at: "volumeInfo.title")
///   try json.encodeIfPresent(publisher, at: "volumeInfo.publisher")
/// }
/// ```
///
/// A nested encoder is the counterpart of a ``NestedDecoder`` and works with any `Encoder`. Objects and arrays along
/// the paths are created when the first value needs them and reused for later values, regardless of the order of the
/// calls. Names are written according to the encoder's key strategy.
///
/// A path specifies the location of a value with names and indices: `authors[0].name`. Encoders write the elements of
/// an array in order, so an index must be either the index of an element that has already been written by path, or the
/// next index.
///
/// Use a nested encoder, which is not `Sendable`, only in the `encode(to:)` that created it.
public struct NestedEncoder {
  let root: EncodingNode

  /// The coding path of the value that the paths start from.
  public var codingPath: [any CodingKey] { root.codingPath }

  init(_ encoder: any Encoder) { root = EncodingNode(.root(encoder)) }

  /// Encodes a value at a path; nil is encoded as null.
  ///
  /// - Throws: `EncodingError.invalidValue`, before anything is written, in these cases:
  ///   - The path contains anything other than names and indices.
  ///   - An index skips elements.
  ///   - A value has already been encoded at the path or at a location along the path.
  ///   - The path uses a name for an array or an index for an object.
  ///   - A name and an earlier name are equal as Swift strings but have different bytes, for example because they
  ///     use different Unicode forms of `é`. Most encoders would keep only one of the two members.
  ///
  ///   Any error thrown while encoding the value is rethrown.
  public func encode<T: Encodable>(_ value: T, at path: JSONPath) throws {
    let steps = try path.stepsToEncode(value, codingPath: codingPath)
    try root.node(at: steps, for: value).encode(value)
  }

  /// Encodes a value at a path unless the value is nil.
  ///
  /// If all values are nil, an empty object is encoded, or an empty array if the last path begins with an index.
  ///
  /// - Throws: The same errors as ``encode(_:at:)``. An invalid path causes an error even if the value is nil.
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
  /// Returns a nested encoder, which uses paths to encode values below this encoder's current value.
  public func nested() -> NestedEncoder { NestedEncoder(self) }
}
