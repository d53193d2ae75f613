/// The error thrown by a save if objects keep changing each other in ``ManagedObject/validate()``.
///
/// To learn how to respond, see <doc:WhenSomethingGoesWrong>.
public struct ValidationCycleError: Error, Sendable, Hashable {}

extension ValidationCycleError: CustomStringConvertible {
  /// What happened.
  public var description: String { "validate() methods keep changing objects: the save was stopped" }
}
