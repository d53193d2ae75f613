public import Decoding
public import Foundation

extension ExtractionStrategy {
  /// A strategy that decodes the elements of the JSON array at the given path. If the value at the path is null or
  /// missing, or the body is empty, as in a 204 response, the result is an empty array.
  ///
  /// Use this strategy for responses that omit the array when it is empty. The strategy throws a `LocatedDecodingError`
  /// if the array is present and one of its elements cannot be decoded.
  public static func elementsIfPresent<Element: Decodable & Sendable>(
    of type: Element.Type = Element.self, at path: JSONPath, decoder: JSONDecoder = JSONDecoder()
  ) -> Self where Value == [Element] {
    Self { response in
      if response.body.isEmpty { return [] }
      do throws(LocatedDecodingError) {
        return try decoder.decode([Element]?.self, from: response.body, at: path) ?? []
      } catch {
        // The missing value may also be inside an element.
        guard error.kind == .missing, !Anything.isThere(in: response.body, at: path, decoder) else { throw error }
        return []
      }
    }
  }
}

/// Decodes from any value and reads nothing.
private struct Anything: Decodable {
  init(from decoder: any Decoder) {}

  static func isThere(in body: Data, at path: JSONPath, _ decoder: JSONDecoder) -> Bool {
    do throws(LocatedDecodingError) {
      _ = try decoder.decode(Anything.self, from: body, at: path)
      return true
    } catch {
      return error.kind != .missing
    }
  }
}
