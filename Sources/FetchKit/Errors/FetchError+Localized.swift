public import Foundation

extension FetchError: LocalizedError {
  /// The same text as ``description``.
  public var errorDescription: String? { description }
}
