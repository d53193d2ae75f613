/// Why a save is refused whose objects change each other, in ``ManagedObject/validate()``, again and again.
public struct EndlessValidation: Error, Sendable, Hashable {}

extension EndlessValidation: CustomStringConvertible {
  /// What has happened.
  public var description: String { "validations change objects again and again" }
}
