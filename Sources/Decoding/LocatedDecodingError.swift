/// Describes why a document could not be decoded: where decoding failed, what was expected, and what was found.
///
/// In addition to the information in the decoder's own error, it contains the line and column, the kind of value found,
/// and the names of a missing member's siblings. These details are read from the document's bytes only after decoding
/// has failed, so successful decoding costs nothing extra.
///
/// ``description`` contains only names and kinds of values, never values from the document, so it is safe to log.
/// ``snippet``, ``detail`` and ``underlyingError`` may contain values, and `debugDescription` shows them. ``redacted``
/// removes them.
///
/// <doc:WhenSomethingGoesWrong> lists the cause of each kind and what to do about it.
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
  /// The category of the failure, for code that branches on it.
  public enum Kind: Hashable, Sendable {
    /// A member or element does not exist.
    case missing
    /// A value is null but must not be.
    case null
    /// A value is of a different kind than expected.
    case mismatch
    /// A value is of the right kind but unusable, such as a number that does not fit or a date in a different format.
    case invalid
    /// The bytes are not JSON.
    case malformed
    /// The path is invalid; ``LocatedDecodingError/underlyingError`` is the ``JSONPathError``.
    case invalidPath
    /// The path is valid but cannot be evaluated here.
    case unsupportedPath
    /// A limit on the nesting depth, the size, or the work of evaluating a path was exceeded, or the task was
    /// cancelled.
    case limit
    /// The decoded type threw its own error, which is ``LocatedDecodingError/underlyingError``.
    case custom
  }

  /// The category of the failure.
  public internal(set) var kind: Kind

  /// The path from the document's root to the value that could not be decoded.
  public internal(set) var path: JSONPath

  /// What was expected: a type's name or a description. If the decoded type threw its own error, this is the name of
  /// that type.
  public internal(set) var expected: String?

  /// What was found instead: the kind of value, such as `a string`; the names of members that must not exist; the
  /// number of values that could not be decoded, if there were too many; or, if the bytes are malformed, the kind of
  /// character.
  public internal(set) var found: String?

  /// The position in the document's bytes, or nil if the failure has no position or the bytes were not available.
  ///
  /// A document in UTF-16 or UTF-32 is converted to UTF-8, and its positions refer to the UTF-8 bytes.
  public internal(set) var position: SourcePosition?

  /// The document's text around ``position``: one line of at most 80 characters, which may contain values.
  public internal(set) var snippet: String?

  /// The names of a missing member's siblings, in document order. There are at most 20 names, each at most 80
  /// characters long.
  public internal(set) var siblings: [String] = []

  /// The message from the decoder or the decoded type. It may contain values.
  public internal(set) var detail: String?

  /// The error that this failure was created from; its text may contain values.
  public internal(set) var underlyingError: (any Error)?

  /// A copy without the properties that may contain values from the document.
  public var redacted: LocatedDecodingError {
    var copy = self
    copy.snippet = nil
    copy.detail = nil
    copy.underlyingError = nil
    return copy
  }
}
