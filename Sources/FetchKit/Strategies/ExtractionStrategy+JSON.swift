public import Decoding
public import Foundation

extension ExtractionStrategy where Value: Decodable {
  /// A strategy that decodes the whole body as JSON. If the type is optional and the body is empty, as in a 204
  /// response, the result is nil.
  ///
  /// If decoding fails, the strategy throws a `LocatedDecodingError` with the location and the reason.
  public static func json(_ type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder()) -> Self {
    Self { response in
      if let absent = absent(in: response) { return absent }
      do {
        return try decoder.decode(type, from: response.body)
      } catch {
        throw LocatedDecodingError(error, in: response.body, keys: decoder.keyDecodingStrategy)
      }
    }
  }

  /// A strategy that decodes the value at the given path in the JSON body. Nothing after that value is read, so errors
  /// in the rest of the body are not detected. If the type is optional and the body is empty, as in a 204 response, the
  /// result is nil.
  ///
  /// If decoding fails or the path is invalid, the strategy throws a `LocatedDecodingError` with the location and the
  /// reason.
  public static func json(
    _ type: Value.Type = Value.self, at path: JSONPath, decoder: JSONDecoder = JSONDecoder()
  ) -> Self {
    Self { try absent(in: $0) ?? decoder.decode(type, from: $0.body, at: path) }
  }

  /// The nil of an optional type if there is no body.
  private static func absent(in response: FetchResponse) -> Value? {
    response.body.isEmpty ? (Value.self as? any OptionalValue.Type)?.absent as? Value : nil
  }
}

private protocol OptionalValue {
  static var absent: Any { get }
}

extension Optional: OptionalValue {
  fileprivate static var absent: Any { Self.none as Any }
}

extension ExtractionStrategy {
  /// A strategy that decodes the elements of the JSON array at the given path.
  ///
  /// The strategy throws a `LocatedDecodingError` if one of the elements cannot be decoded.
  public static func elements<Element: Decodable & Sendable>(
    of type: Element.Type = Element.self, at path: JSONPath = "$", decoder: JSONDecoder = JSONDecoder()
  ) -> Self where Value == [Element] {
    Self { try decoder.decode([Element].self, from: $0.body, at: path) }
  }
}
