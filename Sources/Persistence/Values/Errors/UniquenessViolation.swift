/// A value, or a combination of values, that must be unique but is not.
///
/// <doc:WhenSomethingGoesWrong> explains how to respond to this error.
public struct UniquenessViolation: Sendable, Hashable {
  /// The name of the object's class.
  public let type: String
  /// The names of the properties for which another object already has the same values.
  public let attributes: [String]
  /// The id of the object that could not be saved.
  public let id: Int64
}

extension UniquenessViolation: CustomStringConvertible {
  /// A description of the class and the attributes.
  public var description: String {
    "another \(type) has the same \(attributes.joined(separator: ", ")) as the object \(id)"
  }
}
