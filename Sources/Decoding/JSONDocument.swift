public import Foundation

/// A JSON document from which you decode individual values without decoding the whole document.
///
/// ```swift
/// let document = JSONDocument(data)  // nothing is parsed yet
/// // Scans, skips, stops.
/// let count: Int = try document.decode(at: "search_metadata.count")
/// let name = try document.decodeIfPresent(String.self, at: "user.name")
/// ```
///
/// Each request reads the document from the beginning to the requested value and no further. The parts that are skipped
/// on the way are still validated (grammar, escapes and UTF-8), at about four times the speed at which Foundation's
/// decoder scans a document. With ``JSONValidation/trusted``, most of the validation of skipped parts is omitted, and
/// skipping is eight times as fast as that scan. A type that decodes several paths with a ``NestedDecoder`` reads the
/// document once.
///
/// A path that can select at most one value is strict: a step into the wrong kind of value, such as a name applied to
/// an array, causes an error that identifies this value. If several members of an object have the same name, the first
/// one is used. Write the names in a path as they appear in the document, because the decoder's key strategy applies
/// only inside the decoded values.
///
/// The document can be in UTF-8, UTF-16 or UTF-32, with or without a byte order mark. The initializer converts
/// documents in UTF-16 and UTF-32 to UTF-8. `JSONDocument` is a value type and is cheap to copy.
public struct JSONDocument: Sendable {
  /// The document's bytes as UTF-8.
  let data: Data
  let decoder: JSONBytesDecoder

  /// The limits on evaluating paths that can select several values.
  public var limits = JSONPathLimits()

  private static let checking = JSONBytesDecoder()
  private static let trusting = JSONBytesDecoder { $0.validation = .trusted }

  /// Creates a document whose values are decoded with the default options of ``JSONBytesDecoder``.
  ///
  /// - Parameters:
  ///   - data: The document. Data in UTF-8 is retained and not copied; data in UTF-16 or UTF-32 is converted to a copy
  ///     in UTF-8.
  ///   - validation: How thoroughly skipped parts are validated.
  public init(_ data: Data, validation: JSONValidation = .full) {
    self.init(data, decoder: validation == .full ? Self.checking : Self.trusting)
  }

  /// Creates a document whose values are decoded by the given decoder. Each request uses the options that the decoder
  /// has at the time of the request.
  public init(_ data: Data, decoder: JSONBytesDecoder) {
    self.data = data.asUTF8
    self.decoder = decoder
  }

  /// Decodes the value at a path, or the first value if the path selects several.
  ///
  /// - Throws: ``LocatedDecodingError``. Its kind is `missing` if the path selects no value.
  public func decode<T: Decodable>(
    _ type: T.Type = T.self, at path: JSONPath = .root
  ) throws(LocatedDecodingError) -> T {
    guard let steps = try steps(of: path) else {
      guard let first = try values(type, at: path, limit: 1).first else {
        throw LocatedDecodingError(nothingAt: path, expected: type)
      }
      return first
    }
    return try value(type, at: steps)
  }

  /// Decodes the value at a path, or returns nil if the value is missing or null.
  ///
  /// - Throws: ``LocatedDecodingError`` if a value along the path is of the wrong kind, or if the value cannot be
  ///   decoded.
  public func decodeIfPresent<T: Decodable>(
    _ type: T.Type = T.self, at path: JSONPath
  ) throws(LocatedDecodingError) -> T? {
    guard let steps = try steps(of: path) else { return try values(T?.self, at: path, limit: 1).first ?? nil }
    return try value(T?.self, at: steps, ifAbsent: .some(nil))
  }

  /// - Parameter absent: The value for a missing one, and for one below null. Without it, that is an error.
  private func value<T: Decodable>(
    _ type: T.Type, at steps: [PathStep], ifAbsent absent: T? = nil
  ) throws(LocatedDecodingError) -> T {
    try withState { state, part in
      if steps.isEmpty { return try state.decode(type, part) }
      part.origin = .steps(steps)
      switch (state.scanner.follow(steps, from: 0), absent) {
      case (.found(let offset), _):
        part.start = offset
        return try state.decode(type, part)
      case (.none, _): throw state.syntaxError()
      case (.missing, let absent?), (.mismatch(_, _, .null), let absent?): return absent
      case (.some(let outcome), _):
        throw LocatedDecodingError(outcome, of: steps, expected: type, in: state.document(part))
      }
    }
  }

  /// Decodes all values that a path selects, in the order that RFC 9535 defines, or returns an empty array if the path
  /// selects none.
  ///
  /// The part of the path before the first segment that can select several values is strict: a step into the wrong kind
  /// of value, including null, causes an error. If a name or index in this part does not exist, the method returns an
  /// empty array, whereas ``NestedDecoder/decodeAll(_:at:)`` throws an error.
  ///
  /// - Throws: ``LocatedDecodingError`` if any of the values cannot be decoded.
  public func values<T: Decodable>(_ type: T.Type = T.self, at path: JSONPath) throws(LocatedDecodingError) -> [T] {
    try values(type, at: path, limit: .max)
  }

  /// Returns the steps of a singular path, or nil for a path that can select several values.
  func steps(of path: JSONPath) throws(LocatedDecodingError) -> [PathStep]? {
    if let error = path.compiled.error { throw LocatedDecodingError(error) }
    return path.compiled.steps
  }

  /// Calls a closure with a decoding state that is positioned at the beginning of the document.
  func withState<Value>(
    _ body: (DecodingState, inout TextPart) throws -> Value
  ) throws(LocatedDecodingError) -> Value {
    try data.withByteView { (text) throws(LocatedDecodingError) in
      try decoder.withState(TextPart(text: text), body)
    }
  }
}
