public import Foundation

extension JSONValue {
  /// Parses JSON text without losing information; ``JSONBytesDecoder/maximumDepth`` describes the maximum nesting
  /// depth.
  ///
  /// - Throws: ``LocatedDecodingError`` if the text is not JSON.
  public init(parsing text: String) throws(LocatedDecodingError) {
    self = try Self.parser.decode(JSONValue.self, from: Array(text.utf8))
  }

  static let parser = JSONBytesDecoder()

  /// The value as JSON in UTF-8, without whitespace, and with its members in order.
  public var data: Data { JSONTextWriter.data(of: self) }
}

extension JSONValue: CustomStringConvertible {
  /// The value as JSON, without whitespace.
  public var description: String { String(decoding: JSONTextWriter.data(of: self), as: UTF8.self) }
}
