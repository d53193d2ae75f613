public import Foundation

extension DecodingFailure: LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }
}
