/// A way to decode and encode a single field, for cases in which a decoder or encoder option would affect too many
/// values.
///
/// ```swift
/// released = try json.decode(at: "release_date", as: .date(format: "yyyy-MM-dd"))
/// pages = try json.decodeIfPresent(at: "page_count", as: .numberOrString)
/// ```
///
/// Encoding uses the same strategy: `try json.encode(released, at: "release_date", as: .date(format: "yyyy-MM-dd"))`.
public struct FieldStrategy<Value>: Sendable {
  private let decoding: @Sendable (any SingleValueDecodingContainer) throws -> Value
  private let encoding: @Sendable (Value) throws -> any Encodable

  /// Creates a strategy from two closures.
  ///
  /// - Parameters:
  ///   - decode: A closure that decodes one non-null value. The decoding call rethrows the closure's errors.
  ///   - encode: A closure that returns the `Encodable` value to encode in place of the field's value. The encoding
  ///     call rethrows the closure's errors.
  public init(
    decode: @escaping @Sendable (any SingleValueDecodingContainer) throws -> Value,
    encode: @escaping @Sendable (Value) throws -> any Encodable
  ) {
    decoding = decode
    encoding = encode
  }

  /// Decodes a container's non-null value, for use in a custom strategy that builds on this one.
  public func decode(from container: any SingleValueDecodingContainer) throws -> Value { try decoding(container) }

  func encoded(_ value: Value) throws -> any Encodable { try encoding(value) }
}

extension FieldStrategy where Value: Encodable & SendableMetatype {
  /// Creates a strategy for values that are encoded by their own `encode(to:)`.
  ///
  /// - Parameter decode: A closure that decodes one non-null value. The decoding call rethrows the closure's errors.
  public init(_ decode: @escaping @Sendable (any SingleValueDecodingContainer) throws -> Value) {
    self.init(decode: decode) { $0 }
  }
}

extension SingleValueDecodingContainer {
  /// Returns the error for a value of the right kind that is not the expected one.
  func invalid(_ expected: String) -> DecodingError {
    let expected = ExpectedValue(expected)
    return .dataCorrupted(.init(codingPath: codingPath, debugDescription: "\(expected)", underlyingError: expected))
  }

  /// Decodes the value as a type, or returns nil if the value is of another kind.
  func decodeIfOfType<T: Decodable>(_ type: T.Type) throws -> T? {
    do {
      return try decode(type)
    } catch DecodingError.typeMismatch {
      return nil
    }
  }
}
