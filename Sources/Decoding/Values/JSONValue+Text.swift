public import Foundation

extension JSONValue {
  /// Creates a value from JSON text without losing information. The maximum nesting depth is the default value of
  /// ``JSONBytesDecoder/maximumDepth``.
  ///
  /// - Throws: ``LocatedDecodingError`` if the text is not JSON.
  public init(parsing text: String) throws(LocatedDecodingError) {
    self = try Self.parser.decode(JSONValue.self, from: Array(text.utf8))
  }

  static let parser = JSONBytesDecoder()

  /// The value as JSON in UTF-8, without whitespace. The members of objects are written in order.
  public var data: Data { JSONTextWriter.data(of: self) }
}

extension JSONValue: CustomStringConvertible {
  /// The value as JSON, without whitespace.
  public var description: String { String(decoding: JSONTextWriter.data(of: self), as: UTF8.self) }
}
