import Decoding
import Foundation

/// A decoder of a document's bytes: ours or Foundation's.
struct TestedDecoder: Sendable, CustomStringConvertible {
  var description: String
  private let decoder: @Sendable (any Decodable.Type, Data) throws -> Any

  func decode<T: Decodable>(_ type: T.Type = T.self, _ text: String) throws -> T {
    try decoder(type, Data(text.utf8)) as! T
  }

  static let all = [
    TestedDecoder(description: "JSONBytesDecoder") { try JSONBytesDecoder().decode($0, from: $1) },
    TestedDecoder(description: "JSONDecoder") { try JSONDecoder().decode($0, from: $1) },
  ]
}

extension Encodable {
  /// What Foundation's encoder makes of the value.
  var encoded: JSONValue { get throws { try JSONValue(encoding: self) } }
}

extension Error {
  /// The error that the decoded type threw, whichever decoder it went through.
  var asDecodingError: DecodingError? {
    self as? DecodingError ?? (self as? LocatedDecodingError)?.underlyingError as? DecodingError
  }

  /// The error under that one.
  var underlying: (any Error)? {
    guard case .dataCorrupted(let context)? = asDecodingError else { return nil }
    return context.underlyingError
  }
}
