public import Foundation

extension JSONValue {
  /// Parses a JSON text, which loses nothing; see ``JSONBytesDecoder/maximumDepth`` for how deep it may be.
  ///
  /// - Throws: ``DecodingFailure`` where it is not JSON.
  public init(parsing text: String) throws(DecodingFailure) {
    self = try Self.parser.decode(JSONValue.self, from: Array(text.utf8))
  }

  static let parser = JSONBytesDecoder()

  /// The value as JSON in UTF-8, without blanks, its members in their order.
  public var data: Data { JSONTextWriter.data(of: self) }
}

extension JSONValue: CustomStringConvertible {
  /// The value as JSON, without blanks.
  public var description: String { String(decoding: JSONTextWriter.data(of: self), as: UTF8.self) }
}
