/// Changes to a JSON value, written as operations one after the other: JSON Patch (RFC 6902).
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
/// Either all operations are applied or nothing changes. Paths are JSON Pointers (RFC 6901). Decodes from and encodes
/// as the document of the format; what it does not define is ignored.
public struct JSONPatch: Hashable, Sendable {
  /// One change, or one condition.
  public enum Operation: Hashable, Sendable {
    /// Sets a member, or inserts an element: before the one with that index, or at the end by `-`.
    case add(path: String, value: JSONValue)
    /// Removes a value that is there; removing the whole document leaves null.
    case remove(path: String)
    /// Replaces a value that is there.
    case replace(path: String, value: JSONValue)
    /// Removes a value and adds it somewhere else, which must not be inside of it.
    case move(from: String, path: String)
    /// Adds a value that is there somewhere else.
    case copy(from: String, path: String)
    /// Requires a value to be equal to another, as ``JSONValue`` says what is equal.
    case test(path: String, value: JSONValue)
  }

  /// The operations, in their order.
  public var operations: [Operation]

  /// Takes operations.
  public init(_ operations: [Operation]) { self.operations = operations }

  /// Applies all operations, or none.
  ///
  /// - Throws: ``JSONPatchError`` about the first operation that cannot be applied; the value stays as it was.
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

  /// Applies all operations to what a typed value is encoded to, and decodes the result.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - encoder: Encodes it.
  ///   - decoder: Has the options for the way back, which are a new decoder's if it is nil.
  /// - Throws: ``JSONPatchError``, what encoding throws, and ``DecodingFailure`` where the result is no such value.
  public func applied<T: Codable>(
    encoding value: T, by encoder: JSONBytesEncoder = JSONBytesEncoder(), decoder: JSONBytesDecoder? = nil
  ) throws -> T {
    var json = try JSONValue(encoding: value, by: encoder)
    try apply(to: &json)
    return try json.decode(by: decoder)
  }
}

extension JSONPatch: ExpressibleByArrayLiteral {
  /// A patch of these operations.
  public init(arrayLiteral operations: Operation...) { self.init(operations) }
}

extension JSONPatch: Codable {
  /// Decodes a patch document, an array of operations.
  ///
  /// - Throws: `DecodingError`, also for an operation that there is not.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode([Operation].self))
  }

  /// Encodes the patch document.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(operations)
  }
}
