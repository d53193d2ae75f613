/// The error that a save throws if objects keep changing each other in ``ManagedObject/validate()``.
///
/// <doc:WhenSomethingGoesWrong> says what to do about it.
public struct ValidationCycleError: Error, Sendable, Hashable {}

extension ValidationCycleError: CustomStringConvertible {
  /// What happened.
  public var description: String { "validate() methods keep changing objects: the save was stopped" }
}
