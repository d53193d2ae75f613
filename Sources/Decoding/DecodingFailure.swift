/// Says why a document could not be decoded: where, what was expected there, and what was found.
///
/// Everything beyond the decoder's own error (line and column, the kind of value found, the names beside a missing one)
/// is read from the document's bytes when decoding has failed; success pays nothing for it.
///
/// ``description`` tells no value of the document, only names and kinds, so it is fit for a log. Values may stand in
/// ``snippet``, ``detail`` and ``underlyingError``, which `debugDescription` shows; ``redacted`` drops them.
///
/// ## Topics
/// ### Where
/// - ``path``
/// - ``position``
/// - ``snippet``
/// ### What
/// - ``kind-swift.property``
/// - ``expected``
/// - ``found``
/// - ``siblings``
/// - ``detail``
/// - ``underlyingError``
public struct DecodingFailure: Error, Sendable {
  /// What went wrong, as far as a program cares.
  public enum Kind: Hashable, Sendable {
    /// A member or element is not there.
    case missing
    /// A value is null that must not be.
    case null
    /// A value is of another kind than expected.
    case mismatch
    /// A value is of the right kind and yet unusable: a number that does not fit, a date in another format.
    case invalid
    /// The bytes are not JSON.
    case malformed
    /// The path is not one: see ``JSONPathError`` in ``DecodingFailure/underlyingError``.
    case invalidPath
    /// The path is right, but cannot be answered here.
    case unsupportedPath
    /// A limit was reached: nesting, size, or the work that a path may cause.
    case limit
    /// The decoded type threw an error of its own, in ``DecodingFailure/underlyingError``.
    case custom
  }

  /// What went wrong.
  public internal(set) var kind: Kind

  /// The place in the document, as a path from its root.
  public internal(set) var path: JSONPath

  /// What was expected: a type's name, or words for it; for an error of a type's own that type.
  public internal(set) var expected: String?

  /// What was found instead: the kind of value, such as `a string`, or where bytes are malformed the kind of character.
  public internal(set) var found: String?

  /// The place in the document's bytes; nil when the failure has none, or the bytes were not at hand.
  ///
  /// A document in UTF-16 or UTF-32 is read as UTF-8, and so is its position.
  public internal(set) var position: SourcePosition?

  /// The document's text around ``position``: one line, at most 80 characters, which may hold values.
  public internal(set) var snippet: String?

  /// The names in the object that lacks one, in their order; at most 20 and each at most 80 characters.
  public internal(set) var siblings: [String] = []

  /// What the decoder or the decoded type said, which may hold values.
  public internal(set) var detail: String?

  /// The error that this one was made from; its text may hold values.
  public internal(set) var underlyingError: (any Error)?

  /// The same failure without anything that may hold a value of the document.
  public var redacted: DecodingFailure {
    var copy = self
    copy.snippet = nil
    copy.detail = nil
    copy.underlyingError = nil
    return copy
  }
}
