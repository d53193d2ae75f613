/// A value that an attribute cannot hold.
///
/// To learn how to respond, see <doc:WhenSomethingGoesWrong>.
public struct InvalidValue: Sendable, Hashable {
  /// The class.
  public let type: String
  /// The attribute's property.
  public let attribute: String
  /// The object's id.
  public let id: Int64
  /// What is wrong with the value. The text does not contain the value itself.
  public let reason: String
}

extension InvalidValue: CustomStringConvertible {
  /// The object, attribute and reason.
  public var description: String { "\(type).\(attribute) of the object \(id): \(reason)" }
}
