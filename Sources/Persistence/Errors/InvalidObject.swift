/// An object that its own ``ManagedObject/validate()`` method rejected.
///
/// To learn how to respond, see <doc:WhenSomethingGoesWrong>.
public struct InvalidObject: Sendable {
  /// The class.
  public let type: String
  /// The object's id.
  public let id: Int64
  /// The error that `validate()` threw.
  public let reason: any Error
}

extension InvalidObject: CustomStringConvertible {
  /// The object and the reason.
  public var description: String { "\(type) \(id) is not valid: \(reason)" }
}

/// The error thrown by a save if objects keep changing each other in ``ManagedObject/validate()``.
///
/// To learn how to respond, see <doc:WhenSomethingGoesWrong>.
public struct ValidationCycleError: Error, Sendable, Hashable {}

extension ValidationCycleError: CustomStringConvertible {
  /// What happened.
  public var description: String { "validate() methods keep changing objects: the save was stopped" }
}
