public import Foundation

/// Reports that a string does not identify any case of a ``Discriminator``. The error is thrown as the underlying error
/// of a `DecodingError`.
///
/// <doc:WhenSomethingGoesWrong> explains how to handle this error.
public struct UnknownCaseError: Error, Hashable {
  /// The unknown string. ``description`` omits this string, because it is a value from the document.
  public let found: String

  /// The strings that identify the cases of the discriminator, sorted.
  public let known: [String]
}

extension UnknownCaseError: CustomStringConvertible, LocalizedError {
  /// A description that lists the known strings but does not contain the unknown string: `expected one of cat, dog`.
  public var description: String { "expected \(words)" }

  var words: String { "one of \(known.joined(separator: ", "))" }

  /// The same text as ``description``.
  public var errorDescription: String? { description }
}
