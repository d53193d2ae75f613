/// A value that an attribute cannot hold.
///
/// <doc:WhenSomethingGoesWrong> explains how to respond to this error.
public struct InvalidValue: Sendable, Hashable {
  /// The name of the object's class.
  public let type: String
  /// The name of the attribute.
  public let attribute: String
  /// The object's id.
  public let id: Int64
  /// The reason that the attribute cannot hold the value. This string does not contain the value itself.
  public let reason: String
}

extension InvalidValue: CustomStringConvertible {
  /// A description of the object, the attribute and the reason.
  public var description: String { "\(type).\(attribute) of the object \(id): \(reason)" }
}
