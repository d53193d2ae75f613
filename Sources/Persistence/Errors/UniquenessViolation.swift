/// A value, or a combination of values, that had to be unique and is not.
public struct UniquenessViolation: Sendable, Hashable {
  /// The class.
  public let type: String
  /// The properties whose values are taken.
  public let attributes: [String]
  /// The object that could not be saved.
  public let id: Int64
}

extension UniquenessViolation: CustomStringConvertible {
  /// Class and attributes.
  public var description: String {
    "another \(type) has the same \(attributes.joined(separator: ", ")) as the object \(id)"
  }
}
