public import Foundation

extension FetchError: LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }
}
