/// Describes why a document could not be decoded: where decoding failed, what was expected, and what was found.
///
/// This error adds details to the decoder's own error: the line and column, the kind of value that was found, and, if a
/// member is missing, the names of the other members of the object. These details are read from the document's bytes
/// only after decoding has failed, so successful decoding costs nothing extra.
///
/// ``description`` contains names and kinds of values, but no values from the document, so it is safe to log.
/// ``snippet``, ``detail`` and ``underlyingError`` may contain values from the document. `debugDescription` contains
/// the snippet and the detail. ``redacted`` is a copy of the error without the snippet, the detail and the underlying
/// error.
///
/// <doc:WhenSomethingGoesWrong> lists the causes of each kind of failure and explains how to handle them.
///
/// ## Topics
/// ### Where decoding failed
/// - ``path``
/// - ``position``
/// - ``snippet``
/// ### What was wrong
/// - ``kind-swift.property``
/// - ``Kind-swift.enum``
/// - ``expected``
/// - ``found``
/// - ``siblings``
/// ### The original error
/// - ``underlyingError``
/// - ``detail``
/// ### Logging without values
/// - ``redacted``
/// ### Creating an error
/// - ``init(_:in:keys:)``
public struct LocatedDecodingError: Error, Sendable {
  /// The category of a decoding failure. Use it to handle some failures differently from others.
  public enum Kind: Hashable, Sendable {
    /// A member or element does not exist.
    case missing
    /// A value is null, but null is not allowed.
    case null
    /// A value is of the wrong kind, such as a string instead of a number.
    case mismatch
    /// A value is of the right kind but unusable, for example because a number does not fit into the type or a date has
    /// a different format.
    case invalid
    /// The bytes are not JSON.
    case malformed
    /// The path is invalid; ``LocatedDecodingError/underlyingError`` is the ``JSONPathError``.
    case invalidPath
    /// The path is valid but not supported by the decoder or the method, for example because evaluating it requires the
    /// document's bytes.
    case unsupportedPath
    /// A limit was exceeded, such as the maximum nesting depth, the maximum size, or the maximum amount of work for
    /// evaluating a path. This kind is also used if the task was cancelled.
    case limit
    /// The `init(from:)` of a decoded type threw its own error, which is stored in
    /// ``LocatedDecodingError/underlyingError``.
    case custom
  }

  /// The category of the failure.
  public internal(set) var kind: Kind

  /// The path from the document's root to the value that could not be decoded.
  public internal(set) var path: JSONPath

  /// What was expected, as the name of a type or a description. If the `init(from:)` of a decoded type threw its own
  /// error, this is the name of that type.
  public internal(set) var expected: String?

  /// What was found instead. In most cases, this is the kind of value, such as `a string`. If the bytes are malformed,
  /// it is the kind of character. If names are at fault, such as those of unexpected members, it is a list of these
  /// names. If too many values could not be decoded, it is the number of these values.
  public internal(set) var found: String?

  /// The position of the failure in the document's bytes. It is nil if the bytes were not available, or if the failure
  /// does not concern a particular value, for example because the path is invalid.
  ///
  /// A document in UTF-16 or UTF-32 is converted to UTF-8, and its positions refer to the UTF-8 bytes.
  public internal(set) var position: SourcePosition?

  /// The document's text around ``position``, as one line of at most 80 characters. It may contain values from the
  /// document.
  public internal(set) var snippet: String?

  /// If a member is missing, the names of the other members of the object, in document order. At most 20 names are
  /// stored, each shortened to at most 80 characters.
  public internal(set) var siblings: [String] = []

  /// The message of the `DecodingError` that the decoder or a type's `init(from:)` threw. It may contain values from
  /// the document.
  public internal(set) var detail: String?

  /// The error from which this error was created. Its text may contain values from the document.
  public internal(set) var underlyingError: (any Error)?

  /// A copy of the error without the properties that may contain values from the document.
  public var redacted: LocatedDecodingError {
    var copy = self
    copy.snippet = nil
    copy.detail = nil
    copy.underlyingError = nil
    return copy
  }
}
