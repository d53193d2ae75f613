public import Foundation

extension JSONDecoder {
  /// Decodes the value at a path in a document.
  ///
  /// ```swift
  /// let photos = try JSONDecoder().decode(
  ///   [Photo].self, from: data, at: "photos.photo")
  /// ```
  ///
  /// Write the names in the path as they appear in the document, regardless of the decoder's key strategy. The parts
  /// before the value are validated, and the parts after it are not read. If several members of an object have the same
  /// name, the first one is used.
  ///
  /// If `allowsJSON5` or `assumesTopLevelDictionary` is set, Foundation decodes the whole document. In this case, the
  /// parts after the value are read, too, and the names in the path are those that the key strategy produces.
  ///
  /// - Throws: ``LocatedDecodingError`` if the path is invalid, the bytes are not JSON, or the value cannot be decoded.
  ///   If the `init(from:)` of the decoded type throws its own error, that error is the `underlyingError`.
  public func decode<T: Decodable>(
    _ type: T.Type = T.self, from data: Data, at path: JSONPath
  ) throws(LocatedDecodingError) -> T {
    if let error = path.compiled.error { throw LocatedDecodingError(error) }
    if allowsJSON5 || assumesTopLevelDictionary { return try decodeByNesting(type, from: data, at: path) }
    let text = data.asUTF8
    let (found, end, steps) = try Self.find(type, at: path, in: text)
    do {
      let start = text.startIndex
      return try decoding(partAt: steps).decode(type, from: text[(start + found.start)..<(start + end)])
    } catch {
      throw text.withByteView { bytes in
        var document = DocumentBytes(bytes, keys: keyDecodingStrategy)
        (document.base, document.baseSteps) = (found.start, steps)
        let failure = LocatedDecodingError(error, in: document)
        guard Self.lacksDetail(error) else { return failure }
        // Foundation's error has no location or no details. Our own decoder reads the same bytes and reports both.
        var part = found
        part.text = document.text
        do throws(LocatedDecodingError) {
          _ = try JSONBytesDecoder(like: self).withState(part) { state, part in try state.decode(type, part) }
        } catch  where failure.kind == error.kind || failure.kind == .invalid {
          var located = error
          if error.kind == .custom { located.underlyingError = failure.underlyingError }
          return located
        } catch {
          // Our decoder failed for a different reason than Foundation's, so its error does not apply.
        }
        return failure
      }
    }
  }

  /// Finds values for decoders that then read them on their own.
  private static let finder = JSONBytesDecoder()

  /// Returns the part that a path selects, where it ends, and the steps to it. The part's text is no longer valid.
  private static func find(
    _ type: Any.Type, at path: JSONPath, in data: Data
  ) throws(LocatedDecodingError) -> (part: TextPart, end: Int, steps: [PathStep]) {
    try data.withByteView { (text) throws(LocatedDecodingError) in
      try finder.withState(TextPart(text: text)) { state, part in
        let end = try state.find(path, expected: type, &part)
        return (part, end, state.steps(to: part))
      }
    }
  }

  /// Whether the error may lack its location (such as a type's own error) or what was expected.
  private static func lacksDetail(_ error: any Error) -> Bool {
    if case DecodingError.dataCorrupted = error { return true }
    return !(error is DecodingError || error is LocatedDecodingError)
  }

  /// For dialects that only Foundation reads: decodes the whole document and follows the path inside it.
  private func decodeByNesting<T: Decodable>(
    _ type: T.Type, from data: Data, at path: JSONPath
  ) throws(LocatedDecodingError) -> T {
    do {
      return try decode(ValueAtPath<T>.self, from: data, configuration: path).value
    } catch {
      // Bytes that are valid in such a dialect are malformed to our scanner, so they are not inspected.
      throw LocatedDecodingError(error, in: DocumentBytes.unreadable)
    }
  }
}

/// Decodes the value at a path that is passed as the configuration, which leaves the decoder's `userInfo` unchanged.
private struct ValueAtPath<Value: Decodable>: DecodableWithConfiguration {
  var value: Value

  init(from decoder: any Decoder, configuration path: JSONPath) throws {
    // `Value(from:)` would bypass the decoder's special handling of dates, URLs and similar types.
    value =
      path == .root
      ? try decoder.singleValueContainer().decode(Value.self) : try decoder.nested().decode(at: path)
  }
}
