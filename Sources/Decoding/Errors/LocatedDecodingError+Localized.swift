public import Foundation

extension LocatedDecodingError: LocalizedError {
  /// The same text as ``description``.
  public var errorDescription: String? { description }
}
