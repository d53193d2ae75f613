/// An object whose own ``ManagedObject/validate()`` has refused to be saved.
public struct InvalidObject: Sendable {
  /// The class.
  public let type: String
  /// The object.
  public let id: Int64
  /// What `validate()` threw.
  public let reason: any Error
}

extension InvalidObject: CustomStringConvertible {
  /// Object and reason.
  public var description: String { "the \(type) \(id) is not valid: \(reason)" }
}
