/// A sequence of operations that change a JSON value, in the JSON Patch format (RFC 6902).
///
/// ```swift
/// let patch: JSONPatch = [
///   .test(path: "/version", value: 3),
///   .replace(path: "/title", value: "Emma"),
///   .add(path: "/tags/-", value: "novel"),
/// ]
/// var book: JSONValue = ["version": 3, "title": "E", "tags": []]
/// try patch.apply(to: &book)
/// ```
///
/// Either all operations are applied or nothing changes. Paths are JSON Pointers (RFC 6901). A `JSONPatch` is decoded
/// from a patch document and encoded as a patch document. When a patch document is decoded, members that the format
/// does not define are ignored.
public struct JSONPatch: Hashable, Sendable {
  /// A change to a value, or a condition that a value must meet.
  public enum Operation: Hashable, Sendable {
    /// Sets a member of an object, or inserts an element into an array. The element is inserted before the given index,
    /// or at the end if the index is `-`.
    case add(path: String, value: JSONValue)
    /// Removes an existing value; removing the whole document leaves null.
    case remove(path: String)
    /// Replaces an existing value.
    case replace(path: String, value: JSONValue)
    /// Removes a value and adds it at another location, which must not be inside the value.
    case move(from: String, path: String)
    /// Adds a copy of an existing value at another location.
    case copy(from: String, path: String)
    /// Requires the value at the path to be equal to the given ``JSONValue``.
    case test(path: String, value: JSONValue)
  }

  /// The operations, in order.
  public var operations: [Operation]

  /// Creates a patch from operations.
  public init(_ operations: [Operation]) { self.operations = operations }

  /// Applies all operations to a value, or no operation if one of them cannot be applied.
  ///
  /// - Throws: ``JSONPatchError`` for the first operation that cannot be applied. If an error is thrown, the value is
  ///   unchanged.
  public func apply(to value: inout JSONValue) throws(JSONPatchError) {
    var changed = PatchedValue(value)
    for (index, operation) in operations.enumerated() {
      do {
        try changed.apply(operation)
      } catch {
        throw JSONPatchError(index: index, pointer: error.pointer, reason: error.reason)
      }
    }
    value = changed.value
  }

  /// Encodes a value of a `Codable` type, applies all operations to the encoded value, and decodes the result.
  ///
  /// - Parameters:
  ///   - value: The value to apply the operations to.
  ///   - encoder: The encoder for the value.
  ///   - decoder: The decoder for the result, or nil for a decoder with default options.
  /// - Throws: ``JSONPatchError``, any error thrown while encoding, and ``LocatedDecodingError`` if the result cannot
  ///   be decoded.
  public func applied<T: Codable>(
    encoding value: T, by encoder: JSONBytesEncoder = JSONBytesEncoder(), decoder: JSONBytesDecoder? = nil
  ) throws -> T {
    var json = try JSONValue(encoding: value, by: encoder)
    try apply(to: &json)
    return try json.decode(by: decoder)
  }
}

extension JSONPatch: ExpressibleByArrayLiteral {
  /// Creates a patch from operations.
  public init(arrayLiteral operations: Operation...) { self.init(operations) }
}

extension JSONPatch: Codable {
  /// Decodes a patch document, which is an array of operations.
  ///
  /// - Throws: `DecodingError` if the patch document is invalid, for example because it contains an unknown operation.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode([Operation].self))
  }

  /// Encodes the patch document.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(operations)
  }
}
