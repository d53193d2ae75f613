import Decoding
import Foundation
import Testing

/// A document that cannot be decoded, and the whole message about it.
struct BrokenInput: Sendable, CustomTestStringConvertible {
  let text: String
  let message: String
  let decode: @Sendable (Data) -> (any Error)?

  var testDescription: String { text.isEmpty ? "nothing" : text }

  /// By this module's decoder.
  static func ours<T: Decodable & SendableMetatype>(
    _ type: T.Type, _ text: String, _ message: String,
    _ configure: @escaping @Sendable (JSONBytesDecoder) -> Void = { _ in }
  ) -> BrokenInput {
    BrokenInput(text: text, message: message) { data in
      let decoder = JSONBytesDecoder()
      configure(decoder)
      return error { _ = try decoder.decode(type, from: data) }
    }
  }

  /// By Foundation's decoder, along a path.
  static func foundation<T: Decodable & SendableMetatype>(
    _ type: T.Type, _ text: String, at path: JSONPath = .root, _ message: String,
    _ configure: @escaping @Sendable (JSONDecoder) -> Void = { _ in }
  ) -> BrokenInput {
    BrokenInput(text: text, message: message) { data in
      let decoder = JSONDecoder()
      configure(decoder)
      return error { _ = try decoder.decode(type, from: data, at: path) }
    }
  }

  /// By Foundation's decoder alone, whose error is made into a failure.
  static func converted<T: Decodable & SendableMetatype>(
    _ type: T.Type, _ text: String, _ message: String,
    _ configure: @escaping @Sendable (JSONDecoder) -> Void = { _ in }
  ) -> BrokenInput {
    BrokenInput(text: text, message: message) { data in
      let decoder = JSONDecoder()
      configure(decoder)
      return error { _ = try decoder.decode(type, from: data) }
        .map { LocatedDecodingError($0, in: data, keys: decoder.keyDecodingStrategy) }
    }
  }

  /// By a path in a document.
  static func document<T: Decodable & SendableMetatype>(
    _ type: T.Type, _ text: String, at path: JSONPath, _ message: String
  ) -> BrokenInput {
    BrokenInput(text: text, message: message) { data in
      error { _ = try JSONDocument(data).decode(type, at: path) }
    }
  }

  private static func error(_ body: () throws -> Void) -> (any Error)? {
    do {
      try body()
      return nil
    } catch {
      return error
    }
  }
}
