public import Foundation

/// Says that a text is none of those that a ``Discriminator`` knows; the underlying error of a `DecodingError`.
public struct UnknownCaseError: Error, Hashable {
  /// The text, which is a value of the document.
  public let found: String

  /// The texts that are known, in order.
  public let known: [String]
}

extension UnknownCaseError: CustomStringConvertible {
  /// The texts that are known, without the one that was found: `expected one of cat, dog`.
  public var description: String { "expected \(words)" }

  var words: String { "one of \(known.joined(separator: ", "))" }
}

extension UnknownCaseError: LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }
}
