public import Foundation

/// Says that more values had to be left out than a ``LossyLimit`` allows; the underlying error of a `DecodingError`.
public struct TooManyDropsError: Error {
  /// What was left out.
  public let drops: [LossyDrop]

  /// The number of values there were.
  public let count: Int
}

extension TooManyDropsError: CustomStringConvertible {
  /// How many of how many were left out, and the first of them.
  public var description: String {
    "\(drops.count) of \(count) values had to be left out; the first: \(drops.first.map(String.init) ?? "none")"
  }
}

extension TooManyDropsError: LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }
}
