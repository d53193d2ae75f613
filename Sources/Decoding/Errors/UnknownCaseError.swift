public import Foundation

/// Reports that a string does not identify any case of a ``Discriminator``. It is the underlying error of a
/// `DecodingError`.
///
/// <doc:WhenSomethingGoesWrong> explains what to do about it.
public struct UnknownCaseError: Error, Hashable {
  /// The unknown string, which is a value from the document.
  public let found: String

  /// The known strings, sorted.
  public let known: [String]
}

extension UnknownCaseError: CustomStringConvertible {
  /// The known strings, but not the string that was found: `expected one of cat, dog`.
  public var description: String { "expected \(words)" }

  var words: String { "one of \(known.joined(separator: ", "))" }
}

extension UnknownCaseError: LocalizedError {
  /// The same text as ``description``.
  public var errorDescription: String? { description }
}
