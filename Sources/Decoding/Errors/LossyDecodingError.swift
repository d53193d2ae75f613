public import Foundation

/// Reports that more values had to be dropped than a ``LossyLimit`` allows. This error is the underlying error of the
/// `DecodingError` that is thrown.
///
/// <doc:WhenSomethingGoesWrong> explains how to handle this error.
public struct LossyDecodingError: Error {
  /// The dropped values.
  public let drops: [DroppedElement]

  /// The total number of values, including the dropped values.
  public let count: Int
}

extension LossyDecodingError: CustomStringConvertible, LocalizedError {
  /// A description that contains the number of dropped values, the total number of values, and the description of the
  /// first dropped value.
  public var description: String {
    "\(drops.count) of \(count) values could not be decoded; the first: \(drops.first.map(String.init) ?? "none")"
  }

  /// The same text as ``description``.
  public var errorDescription: String? { description }
}
