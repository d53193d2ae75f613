public import Foundation

extension JSONBytesDecoder {
  /// Decodes the value at a path, or the first value if the path selects several.
  ///
  /// ```swift
  /// let photos = try JSONBytesDecoder().decode(
  ///   [Photo].self, from: data, at: "photos.photo")
  /// ```
  ///
  /// The path uses the names in the document, regardless of ``keyDecodingStrategy``. Parts of the document that are
  /// skipped are validated as specified by ``validation``. Decoding stops after the value, so the rest of the document
  /// is not read.
  ///
  /// - Throws: ``LocatedDecodingError``, whose kind is `missing` if the path selects no value.
  public func decode<T: Decodable>(
    _ type: T.Type = T.self, from data: Data, at path: JSONPath
  ) throws(LocatedDecodingError) -> T {
    try JSONDocument(data, decoder: self).decode(type, at: path)
  }
}
