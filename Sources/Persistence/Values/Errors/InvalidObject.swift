internal import Foundation

/// An object that its own ``ManagedObject/validate()`` method rejected.
///
/// <doc:WhenSomethingGoesWrong> explains how to respond to this error.
public struct InvalidObject: Sendable {
  /// The name of the object's class.
  public let type: String
  /// The object's id.
  public let id: Int64
  /// The error that `validate()` threw.
  public let reason: any Error
}

extension InvalidObject: CustomStringConvertible {
  /// A description of the object and the reason, in the words of a `LocalizedError`.
  public var description: String {
    "\(type) \(id) is not valid: \((reason as? any LocalizedError)?.errorDescription ?? "\(reason)")"
  }
}

/// An error that a save throws if ``ManagedObject/validate()`` methods keep changing objects, so that validation would
/// never end.
///
/// <doc:WhenSomethingGoesWrong> explains how to respond to this error.
public struct ValidationCycleError: Error, Sendable, Hashable {}

extension ValidationCycleError: CustomStringConvertible {
  /// A description of the error.
  public var description: String { "validate() methods keep changing objects: the save was stopped" }
}
