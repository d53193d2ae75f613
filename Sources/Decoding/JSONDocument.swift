public import Foundation

/// A JSON document that is read only as far as each request requires.
///
/// ```swift
/// let document = JSONDocument(data)  // nothing is parsed yet
/// // Scans, skips, stops.
/// let count: Int = try document.decode(at: "search_metadata.count")
/// let (id, name) = try document.extract(
///   ("user.id", Int.self), ("user.name", String?.self))
/// ```
///
/// Each request reads the document from the beginning to the requested value and no further. The grammar,
/// escapes and UTF-8 of skipped parts are validated at about four times the speed of Foundation's scan. With
/// ``JSONValidation/trusted``, most of that validation is omitted, and skipping is eight times as fast as Foundation's
/// scan. ``extract(_:)`` decodes several values in one pass.
///
/// A path that can select at most one value is strict: a step into the wrong kind of value is an error that identifies
/// the value. If several members have the same name, the first one is used. Paths use the names in the document,
/// regardless of the decoder's key strategy. The strategy applies only inside the decoded values.
///
/// The document can be in UTF-8, UTF-16 or UTF-32, with or without a byte order mark. The initializer converts UTF-16
/// and UTF-32. `JSONDocument` is a value type and is cheap to copy.
public struct JSONDocument: Sendable {
  /// The document's bytes as UTF-8.
  let data: Data
  let decoder: JSONBytesDecoder

  /// The limits for requests whose paths can select several values.
  public var limits = JSONPathLimits()

  private static let checking = JSONBytesDecoder()
  private static let trusting: JSONBytesDecoder = {
    let decoder = JSONBytesDecoder()
    decoder.validation = .trusted
    return decoder
  }()

  /// Creates a document whose values are decoded with a decoder's default options.
  ///
  /// - Parameters:
  ///   - data: The document. It is retained, not copied, unless it is in UTF-16 or UTF-32.
  ///   - validation: How thoroughly skipped parts are validated.
  public init(_ data: Data, validation: JSONValidation = .full) {
    self.init(data, decoder: validation == .full ? Self.checking : Self.trusting)
  }

  /// Creates a document whose values are decoded with the options that the decoder has at the time of each request.
  public init(_ data: Data, decoder: JSONBytesDecoder) {
    self.data = data.asUTF8
    self.decoder = decoder
  }

  /// Decodes the value at a path, or the first value if the path selects several.
  ///
  /// - Throws: ``LocatedDecodingError``, whose kind is `missing` if the path selects no value.
  public func decode<T: Decodable>(
    _ type: T.Type = T.self, at path: JSONPath = .root
  ) throws(LocatedDecodingError) -> T {
    guard let steps = try steps(of: path) else {
      guard let first = try values(type, at: path, limit: 1).first else {
        throw LocatedDecodingError(nothingAt: path, expected: type)
      }
      return first
    }
    return try withState { state, part in
      if path == .root { return try state.decode(type, part) }
      part.origin = .steps(steps)
      switch state.scanner.follow(steps, from: 0) {
      case .found(let offset):
        part.start = offset
        return try state.decode(type, part)
      case .none: throw state.syntaxError()
      case .some(let outcome): throw LocatedDecodingError(outcome, of: steps, expected: type, in: state.document(part))
      }
    }
  }

  /// Decodes the value at a path, or returns nil if the value is missing or null.
  ///
  /// - Throws: ``LocatedDecodingError`` if the value, or a value along the path, is of the wrong kind.
  public func decodeIfPresent<T: Decodable>(
    _ type: T.Type = T.self, at path: JSONPath
  ) throws(LocatedDecodingError) -> T? {
    guard try steps(of: path) != nil else { return try values(T?.self, at: path, limit: 1).first ?? nil }
    return try extract((path, T?.self))
  }

  /// Decodes all values that a path selects, in the order that RFC 9535 defines, or returns an empty array if the path
  /// selects none.
  ///
  /// The array is also empty if a name or an index is missing before the first segment that can select several values.
  /// A step into the wrong kind of value, including null, is an error there. ``NestedDecoder/decodeAll(_:at:)`` throws
  /// in both cases.
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
