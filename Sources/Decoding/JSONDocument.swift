public import Foundation

/// A JSON document of which only what is asked for is read.
///
/// ```swift
/// let document = JSONDocument(data)                                     // nothing is parsed yet
/// let count: Int = try document.decode(at: "search_metadata.count")     // scans, passes over, stops
/// let (id, name) = try document.extract(("user.id", Int.self), ("user.name", String?.self))
/// ```
///
/// Every question reads the document from its beginning up to the answer, and nothing behind it. What is passed over on
/// the way is checked (grammar, escapes, UTF-8), at about four times the speed of Foundation's scan; ``JSONValidation``
/// has the choice to trust it, at eight times. ``extract(_:)`` answers several questions in one pass.
///
/// A path that cannot select more than one value is strict: a step into the wrong kind of value is an error that names
/// it. Of members with the same name the first one counts. The names are the document's own, whatever strategy for keys
/// the decoder has; inside the values, the strategy holds.
///
/// The document is in UTF-8, UTF-16 or UTF-32, with or without a byte order mark; the latter two are converted when it
/// is made. A value that is cheap to copy.
public struct JSONDocument: Sendable {
  /// The document's bytes as UTF-8.
  let data: Data
  let decoder: JSONBytesDecoder

  /// What bounds questions by paths that may select several values.
  public var limits = JSONPathLimits()

  private static let checking = JSONBytesDecoder()
  private static let trusting: JSONBytesDecoder = {
    let decoder = JSONBytesDecoder()
    decoder.validation = .trusted
    return decoder
  }()

  /// Makes a document, whose values are decoded with the options that a decoder begins with.
  ///
  /// - Parameters:
  ///   - data: The document. It is kept, not copied, unless it is in UTF-16 or UTF-32.
  ///   - validation: How carefully what is passed over is looked at.
  public init(_ data: Data, validation: JSONValidation = .full) {
    self.init(data, decoder: validation == .full ? Self.checking : Self.trusting)
  }

  /// Makes a document, whose values are decoded with the decoder's options, as they are at each question.
  public init(_ data: Data, decoder: JSONBytesDecoder) {
    self.data = data.asUTF8
    self.decoder = decoder
  }

  /// Decodes the value that a path leads to; the first one, when it leads to several.
  ///
  /// - Throws: ``DecodingFailure``, of kind `missing` when there is no such value.
  public func decode<T: Decodable>(
    _ type: T.Type = T.self, at path: JSONPath = .root
  ) throws(DecodingFailure) -> T {
    guard let steps = try steps(of: path) else {
      guard let first = try values(type, at: path, limit: 1).first else {
        throw DecodingFailure(nothingAt: path, expected: type)
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
      case .some(let outcome): throw DecodingFailure(outcome, of: steps, expected: type, in: state.document(part))
      }
    }
  }

  /// Decodes the value that a path leads to; nil when there is none, or it is null.
  ///
  /// - Throws: ``DecodingFailure`` when a value on the way or at the end is of the wrong kind.
  public func decodeIfPresent<T: Decodable>(
    _ type: T.Type = T.self, at path: JSONPath
  ) throws(DecodingFailure) -> T? {
    guard try steps(of: path) != nil else { return try values(T?.self, at: path, limit: 1).first ?? nil }
    return try extract((path, T?.self))
  }

  /// Decodes all values that a path leads to, in the order of RFC 9535; none is an empty array.
  ///
  /// A name or index that is missing before the first segment that may select several values gives no values either; a
  /// step there into the wrong kind of value, null included, is an error. ``NestedDecoder/decodeAll(_:at:)`` throws in
  /// both cases.
  ///
  /// - Throws: ``DecodingFailure`` when one of them cannot be decoded.
  public func values<T: Decodable>(_ type: T.Type = T.self, at path: JSONPath) throws(DecodingFailure) -> [T] {
    try values(type, at: path, limit: .max)
  }

  /// The steps of a singular path; nil for a path that may lead to several values.
  func steps(of path: JSONPath) throws(DecodingFailure) -> [PathStep]? {
    if let error = path.compiled.error { throw DecodingFailure(error) }
    return path.compiled.steps
  }

  /// Lends a decoding state that stands at the beginning of the document.
  func withState<Value>(
    _ body: (DecodingState, inout TextPart) throws -> Value
  ) throws(DecodingFailure) -> Value {
    try data.bytes.withUnsafeBytes { (bytes) throws(DecodingFailure) in
      try decoder.withState(TextPart(text: ByteView(bytes)), body)
    }
  }
}
