public import Foundation

/// Reports that more values had to be dropped than a ``LossyLimit`` allows. It is the underlying error of a
/// `DecodingError`.
///
/// <doc:WhenSomethingGoesWrong> explains what to do about it.
public struct LossyDecodingError: Error {
  /// The dropped values.
  public let drops: [DroppedElement]

  /// The total number of values.
  public let count: Int
}

extension LossyDecodingError: CustomStringConvertible {
  /// The number of dropped values, the total, and the first dropped value.
  public var description: String {
    "\(drops.count) of \(count) values could not be decoded; the first: \(drops.first.map(String.init) ?? "none")"
  }
}

extension LossyDecodingError: LocalizedError {
  /// The same text as ``description``.
  public var errorDescription: String? { description }
}
