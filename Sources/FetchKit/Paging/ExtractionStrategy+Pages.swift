public import Decoding
public import Foundation

extension ExtractionStrategy {
  /// The elements of the array that a path leads to, decoded as JSON; none where the path leads to nothing or to null.
  ///
  /// For answers that leave the array out when there is nothing in it. Fails with a `DecodingFailure` where the array
  /// is there and one of its elements cannot be decoded.
  public static func elementsIfPresent<Element: Decodable & Sendable>(
    of type: Element.Type = Element.self, at path: JSONPath, decoder: JSONDecoder = JSONDecoder()
  ) -> Self where Value == [Element] {
    Self { response in
      do throws(DecodingFailure) {
        return try decoder.decode([Element]?.self, from: response.body, at: path) ?? []
      } catch {
        // What is missing may be inside an element, too.
        guard error.kind == .missing, !Anything.isThere(in: response.body, at: path, decoder) else { throw error }
        return []
      }
    }
  }
}

/// Decodes from any value, and takes nothing of it.
private struct Anything: Decodable {
  init(from decoder: any Decoder) {}

  static func isThere(in body: Data, at path: JSONPath, _ decoder: JSONDecoder) -> Bool {
    do throws(DecodingFailure) {
      _ = try decoder.decode(Anything.self, from: body, at: path)
      return true
    } catch {
      return error.kind != .missing
    }
  }
}
