/// How one field is decoded and encoded, where a setting of the whole coder would be too much.
///
/// ```swift
/// released = try json.decode(at: "release_date", as: .date(format: "yyyy-MM-dd"))
/// pages = try json.decodeIfPresent(at: "page_count", as: .numberOrText)
/// ```
///
/// Encoding takes the same: `try json.encode(released, at: "release_date", as: .date(format: "yyyy-MM-dd"))`.
public struct FieldStrategy<Value>: Sendable {
  private let decoding: @Sendable (any SingleValueDecodingContainer) throws -> Value
  private let encoding: @Sendable (Value) throws -> any Encodable

  /// Makes a strategy from a closure for each way.
  ///
  /// - Parameters:
  ///   - decode: Decodes one value that is not null. What it throws is thrown by the decoding call.
  ///   - encode: Returns what is encoded for a value. What it throws is thrown by the encoding call.
  public init(
    decode: @escaping @Sendable (any SingleValueDecodingContainer) throws -> Value,
    encode: @escaping @Sendable (Value) throws -> any Encodable
  ) {
    decoding = decode
    encoding = encode
  }

  /// Decodes the value of a container that is not null, as a strategy of your own that begins with this one does.
  public func decode(from container: any SingleValueDecodingContainer) throws -> Value { try decoding(container) }

  func encoded(_ value: Value) throws -> any Encodable { try encoding(value) }
}

extension FieldStrategy where Value: Encodable & SendableMetatype {
  /// Makes a strategy for values that are encoded as they encode themselves.
  ///
  /// - Parameter decode: Decodes one value that is not null. What it throws is thrown by the decoding call.
  public init(_ decode: @escaping @Sendable (any SingleValueDecodingContainer) throws -> Value) {
    self.init(decode: decode) { $0 }
  }
}

extension SingleValueDecodingContainer {
  /// The error for a value of the right kind that is not what was expected, in words.
  func invalid(_ expected: String) -> DecodingError {
    let expected = ExpectedValue(expected)
    return .dataCorrupted(.init(codingPath: codingPath, debugDescription: "\(expected)", underlyingError: expected))
  }

  /// Decodes as that type, or nil when the value is of another kind.
  func decodeIfOfType<T: Decodable>(_ type: T.Type) throws -> T? {
    do {
      return try decode(type)
    } catch DecodingError.typeMismatch {
      return nil
    }
  }
}
