extension EncodingError {
  /// The error for a value that cannot be encoded.
  static func invalid(
    _ value: Any, at codingPath: [any CodingKey], _ text: String, _ underlying: (any Error)? = nil
  ) -> EncodingError {
    .invalidValue(value, Context(codingPath: codingPath, debugDescription: text, underlyingError: underlying))
  }
}

extension DecodingError {
  /// The error for a value that cannot be decoded for the reason that another error describes.
  static func corrupted(_ reason: any Error, at codingPath: [any CodingKey]) -> DecodingError {
    corrupted("\(reason)", at: codingPath, reason)
  }

  static func corrupted(
    _ text: String, at codingPath: [any CodingKey], _ underlying: (any Error)? = nil
  ) -> DecodingError {
    .dataCorrupted(Context(codingPath: codingPath, debugDescription: text, underlyingError: underlying))
  }

  /// The error for a value that is null, or that a path or an array does not have.
  static func valueNotFound(
    _ type: Any.Type, at codingPath: [any CodingKey], _ text: String, _ underlying: (any Error)? = nil
  ) -> DecodingError {
    .valueNotFound(type, Context(codingPath: codingPath, debugDescription: text, underlyingError: underlying))
  }

  /// The error for a member or an element that does not exist.
  static func keyNotFound(_ key: AnyKey, at codingPath: [any CodingKey]) -> DecodingError {
    let text = key.intValue.map { "No element \($0)." } ?? "No value associated with key \"\(key.stringValue)\"."
    return .keyNotFound(key, Context(codingPath: codingPath, debugDescription: text))
  }
}
