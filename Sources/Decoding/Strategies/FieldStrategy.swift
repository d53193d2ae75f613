/// How one field is decoded, where a decoder-wide setting would be too much.
///
/// ```swift
/// released = try json.decode(at: "release_date", as: .date(format: "yyyy-MM-dd"))
/// pages = try json.decodeIfPresent(at: "page_count", as: .numberOrText)
/// ```
public struct FieldStrategy<Value>: Sendable {
  private let body: @Sendable (any SingleValueDecodingContainer) throws -> Value

  /// Makes a strategy from a closure.
  ///
  /// - Parameter body: Decodes one value that is not null. What it throws is thrown by the decoding call.
  public init(_ body: @escaping @Sendable (any SingleValueDecodingContainer) throws -> Value) {
    self.body = body
  }

  func decode(from container: any SingleValueDecodingContainer) throws -> Value { try body(container) }
}

extension SingleValueDecodingContainer {
  /// The error for a value of the right kind that is no such value.
  func invalid(_ text: String) -> DecodingError { .dataCorruptedError(in: self, debugDescription: text) }

  /// Decodes as that type, or nil when the value is of another kind.
  func decodeIfOfType<T: Decodable>(_ type: T.Type) throws -> T? {
    do {
      return try decode(type)
    } catch DecodingError.typeMismatch {
      return nil
    }
  }
}
