/// A value, or a combination of values, that must be unique but is not.
///
/// To learn how to respond, see <doc:WhenSomethingGoesWrong>.
public struct UniquenessViolation: Sendable, Hashable {
  /// The class.
  public let type: String
  /// The properties whose values already exist.
  public let attributes: [String]
  /// The id of the object that could not be saved.
  public let id: Int64
}

extension UniquenessViolation: CustomStringConvertible {
  /// The class and the attributes.
  public var description: String {
    "another \(type) has the same \(attributes.joined(separator: ", ")) as the object \(id)"
  }
}
