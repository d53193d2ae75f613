public import Foundation

extension PersistenceError: LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }
}
