public import Foundation

extension JSONDecoder {
  /// Decodes the value that a path leads to, reading nothing behind it.
  ///
  /// ```swift
  /// let photos = try JSONDecoder().decode([Photo].self, from: data, at: "photos.photo")
  /// ```
  ///
  /// The path goes by the document's own names, whatever the decoder's strategy for keys. What it passes over is
  /// checked, what lies behind the answer is not read. Of members with the same name the first one counts.
  ///
  /// - Throws: ``DecodingFailure``, also for a path that is not one, for bytes that are not JSON and for what the
  ///   type's `init(from:)` throws.
  public func decode<T: Decodable>(
    _ type: T.Type = T.self, from data: Data, at path: JSONPath
  ) throws(DecodingFailure) -> T {
    if let error = path.compiled.error { throw DecodingFailure(error) }
    if allowsJSON5 || assumesTopLevelDictionary { return try decodeByNesting(type, from: data, at: path) }
    let text = data.asUTF8
    let keys = keyDecodingStrategy
    let (found, end) = try Self.find(type, at: path, in: text)
    do {
      let start = text.startIndex
      return try decode(type, from: text[(start + found.start)..<(start + end)])
    } catch {
      throw text.withUnsafeBytes { bytes in
        var part = found
        part.text = ByteView(bytes)
        let failure = Self.failure(error, about: part, keys: keys)
        guard Self.saysLittle(error) else { return failure }
        // Foundation does not say where or what; our own decoder, which reads the same, does.
        do throws(DecodingFailure) {
          _ = try JSONBytesDecoder(like: self).withState(part) { state, part in try state.decode(type, part) }
        } catch  where failure.kind == error.kind || failure.kind == .invalid {
          var located = error
          if error.kind == .custom { located.underlyingError = failure.underlyingError }
          return located
        } catch {
          // It found something else, which is not what Foundation's decoder failed at.
        }
        return failure
      }
    }
  }

  /// Finds values for decoders that read them by themselves.
  private static let finder = JSONBytesDecoder()

  /// The part that a path leads to, whose text is valid no longer, and where it ends.
  private static func find(
    _ type: Any.Type, at path: JSONPath, in data: Data
  ) throws(DecodingFailure) -> (part: TextPart, end: Int) {
    try data.bytes.withUnsafeBytes { (bytes) throws(DecodingFailure) in
      try finder.withState(TextPart(text: ByteView(bytes))) { state, part in
        let end = try state.find(path, expected: type, &part)
        return (part, end)
      }
    }
  }

  private static func failure(_ error: any Error, about part: TextPart, keys: KeyDecodingStrategy) -> DecodingFailure {
    do throws(DecodingFailure) {
      return try finder.withState(part) { state, part in
        var document = state.document(part)
        document.keys = KeyMatching(strategy: keys)
        return DecodingFailure(error, in: document)
      }
    } catch {
      return error
    }
  }

  /// Whether the error does not have its place, as one of a type's own, or may not say what was expected.
  private static func saysLittle(_ error: any Error) -> Bool {
    switch error {
    case DecodingError.dataCorrupted: true
    case is DecodingError, is DecodingFailure: false
    default: true
    }
  }

  /// For the dialects that only Foundation reads: the whole document is decoded, and the path followed inside.
  private func decodeByNesting<T: Decodable>(
    _ type: T.Type, from data: Data, at path: JSONPath
  ) throws(DecodingFailure) -> T {
    do {
      return try decode(ValueAtPath<T>.self, from: data, configuration: path).value
    } catch {
      // What is legal there is malformed to our scanner, so the bytes are not asked.
      throw DecodingFailure(error, in: DocumentBytes.unreadable)
    }
  }
}

/// Decodes the value at a path that is handed in as configuration, which leaves the decoder's `userInfo` alone.
private struct ValueAtPath<Value: Decodable>: DecodableWithConfiguration {
  var value: Value

  init(from decoder: any Decoder, configuration path: JSONPath) throws {
    // Not `Value(from:)`, which would go past what a decoder does for dates, URLs and the like.
    value =
      path == .root
      ? try decoder.singleValueContainer().decode(Value.self) : try decoder.nested().decode(at: path)
  }
}
