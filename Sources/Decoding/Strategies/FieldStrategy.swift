/// A way to decode and encode a single field. Use a strategy when an option of the decoder or encoder would affect too
/// many values.
///
/// ```swift
/// released = try json.decode(at: "release_date", as: .date(format: "yyyy-MM-dd"))
/// pages = try json.decodeIfPresent(at: "page_count", as: .numberOrString)
/// ```
///
/// To encode the field, pass the same strategy:
/// `try json.encode(released, at: "release_date", as: .date(format: "yyyy-MM-dd"))`.
public struct FieldStrategy<Value>: Sendable {
  private let decoding: @Sendable (any SingleValueDecodingContainer) throws -> Value
  var encoding: @Sendable (Value) throws -> any Encodable
  /// Whether an empty string is nil where the value is optional.
  var isNilIfEmpty = false

  /// Creates a strategy from two closures.
  ///
  /// - Parameters:
  ///   - decode: A closure that decodes one non-null value. Errors that the closure throws are rethrown to the caller
  ///     that decodes the field.
  ///   - encode: A closure that returns the `Encodable` value to encode in place of the field's value. Errors that the
  ///     closure throws are rethrown to the caller that encodes the field.
  public init(
    decode: @escaping @Sendable (any SingleValueDecodingContainer) throws -> Value,
    encode: @escaping @Sendable (Value) throws -> any Encodable
  ) {
    decoding = decode
    encoding = encode
  }

  /// Decodes the non-null value in a container. Call this method in a custom strategy that builds on this strategy.
  public func decode(from container: any SingleValueDecodingContainer) throws -> Value { try decoding(container) }

  /// Decodes the non-null value in a container, which is optional.
  func decodeIfPresent(from container: any SingleValueDecodingContainer) throws -> Value? {
    do {
      return try decoding(container)
    } catch  where isNilIfEmpty && (try? container.decode(String.self)) == "" {
      return nil
    }
  }

  func encoded(_ value: Value) throws -> any Encodable { try encoding(value) }
}

extension FieldStrategy where Value: Encodable & SendableMetatype {
  /// Creates a strategy that customizes only how values are decoded. The values are encoded by their own `encode(to:)`.
  ///
  /// - Parameter decode: A closure that decodes one non-null value. Errors that the closure throws are rethrown to the
  ///   caller that decodes the field.
  public init(_ decode: @escaping @Sendable (any SingleValueDecodingContainer) throws -> Value) {
    self.init(decode: decode) { $0 }
  }
}

/// What a strategy returns for a value that has no encoded form. The error is thrown where the path is known.
struct UnencodableValue<Value: Sendable>: Encodable {
  let value: Value
  let reason: String

  init(_ value: Value, _ reason: String) {
    self.value = value
    self.reason = reason
  }

  func encode(to encoder: any Encoder) throws {
    throw EncodingError.invalid(value, at: encoder.codingPath, reason)
  }
}

extension SingleValueDecodingContainer {
  /// Returns the error for a value of the right kind that is not the expected one.
  func invalid(_ expected: String) -> DecodingError {
    .corrupted(ExpectedValue(expected), at: codingPath)
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
