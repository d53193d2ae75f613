public import Decoding
public import Foundation

extension ExtractionStrategy where Value: Decodable {
  /// The whole body, decoded as JSON.
  ///
  /// Fails with a `DecodingFailure` that says where and why.
  public static func json(_ type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder()) -> Self {
    Self { response in
      do {
        return try decoder.decode(type, from: response.body)
      } catch {
        throw DecodingFailure(error, in: response.body, keys: decoder.keyDecodingStrategy)
      }
    }
  }

  /// The part of the body that a path leads to, decoded as JSON: nothing behind it is read.
  ///
  /// Fails with a `DecodingFailure` that says where and why, also for a path that is not one.
  public static func json(
    _ type: Value.Type = Value.self, at path: JSONPath, decoder: JSONDecoder = JSONDecoder()
  ) -> Self {
    Self { try decoder.decode(type, from: $0.body, at: path) }
  }
}

extension ExtractionStrategy {
  /// The elements of the array that a path leads to, decoded as JSON.
  ///
  /// Fails with a `DecodingFailure` where one of them cannot be decoded.
  public static func elements<Element: Decodable & Sendable>(
    of type: Element.Type = Element.self, at path: JSONPath = "$", decoder: JSONDecoder = JSONDecoder()
  ) -> Self where Value == [Element] {
    Self { try decoder.decode([Element].self, from: $0.body, at: path) }
  }
}
