public import Foundation

extension JSONBytesDecoder {
  /// Decodes the value that a path leads to; the first one, when it leads to several.
  ///
  /// ```swift
  /// let photos = try JSONBytesDecoder().decode([Photo].self, from: data, at: "photos.photo")
  /// ```
  ///
  /// The path goes by the document's own names, whatever the strategy for keys. What it passes over is checked as
  /// ``validation`` says, what lies behind the answer is not read.
  ///
  /// - Throws: ``DecodingFailure``, of kind `missing` when there is no such value.
  public func decode<T: Decodable>(
    _ type: T.Type = T.self, from data: Data, at path: JSONPath
  ) throws(DecodingFailure) -> T {
    try JSONDocument(data, decoder: self).decode(type, at: path)
  }
}
